import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from './src/client.ts';
import { classOf, methodsOf, readArguments, writeArchive, type Method } from './methods.ts';

/**
 * `python.ts DOCUMENT FOLDER` makes the package for Python from the OpenAPI document of an installation: a wheel, which has no
 * dependencies. Prints its name.
 */
const { document, out } = readArguments();
const here = join(import.meta.dirname, 'python');
const { version } = document.info;
const methods = methodsOf(document);

const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const named = (camel: string): string => {
  const name = camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return KEYWORDS.has(name) ? `${name}_` : name;
};
const text = (value: string): string => JSON.stringify(value);

function operationText({ method, path, repeatable, body, ...rest }: Operation): string {
  const { longPoll, download, results } = rest;
  const given = [
    ...[method, path, repeatable].map(text),
    ...(body ? [text(body)] : []),
    ...(longPoll ? ['long_poll=True'] : []),
    ...(download ? ['download=True'] : []),
    ...(results ? [`results=(${results.join(', ')},)`] : []),
  ];
  return `Operation(${given.join(', ')})`;
}

function methodText({
  verb,
  noun,
  operation,
  documented,
  params,
  needsQuery,
  about,
}: Method): string {
  const { body, query, cursor, download, repeatable } = operation;
  const queryParameter = needsQuery ? 'query: Query' : 'query: Optional[Query] = None';
  const given = [
    'self',
    ...params.map((name) => `${named(name)}: str`),
    ...(body === 'file' ? ['file: File'] : []),
    ...(body === 'json'
      ? [documented.requestBody?.required ? 'body: Body' : 'body: Optional[Body] = None']
      : []),
    // Beside a body it is seldom used, and is named.
    ...(query && !body ? [queryParameter] : []),
    '*',
    ...(query && body ? [queryParameter] : []),
    'timeout: Optional[float] = None',
    ...(repeatable === 'with-key' ? ['idempotency_key: Optional[str] = None'] : []),
  ];
  const values = [
    `OPERATIONS[${text(`${noun}.${verb}`)}]`,
    `(${params.map((name) => `${named(name)},`).join(' ')})`,
    ...(body ? [`body=${body === 'file' ? 'file' : 'body'}`] : []),
    ...(query ? ['query=query'] : []),
    'timeout=timeout',
    ...(repeatable === 'with-key' ? ['idempotency_key=idempotency_key'] : []),
  ];
  const name = named(verb);
  return [
    `    def ${name}(${given.join(', ')}) -> ${download ? 'bytes' : 'Any'}:`,
    `        ${text(about)}`,
    `        return self._client.run(${values.join(', ')})`,
    ...(cursor ? ['', `    ${name}.has_cursor = True  # type: ignore[attr-defined]`] : []),
  ].join('\n');
}

const calls = `"""The calls of the API, grouped by noun: \`helio.sendings.create(body)\`."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Union

from .client import Client, File, Noun, Operation, Query, Token

VERSION = ${text(version)}
Body = Union[Mapping[str, Any], List[Any]]

OPERATIONS: Dict[str, Operation] = {
${methods
  .flatMap(([, all]) => all)
  .map(
    ({ noun, verb, operation }) => `    ${text(`${noun}.${verb}`)}: ${operationText(operation)},`,
  )
  .join('\n')}
}

${methods.map(([noun, all]) => `\nclass ${classOf(noun)}(Noun):\n${all.map(methodText).join('\n\n')}\n`).join('\n')}

class Heliograph(Client):
    """The client of an installation: \`Heliograph("https://messages.example", token)\`."""

    def __init__(
        self, url: str, token: Token = None, *, timeout: float = 30.0, attempts: int = 4
    ) -> None:
        super().__init__(url, token, timeout=timeout, attempts=attempts)
${methods.map(([noun]) => `        self.${named(noun)} = ${classOf(noun)}(self)`).join('\n')}
`;

const files: Record<string, string> = { 'heliograph/calls.py': calls };
for (const name of readdirSync(join(here, 'heliograph')))
  if (/\.py$|^py\.typed$/.test(name))
    files[`heliograph/${name}`] = readFileSync(join(here, 'heliograph', name), 'utf8');

// A wheel, as the Python packaging guide describes its format.
const about = `heliograph-${version}.dist-info`;
files[`${about}/METADATA`] = `Metadata-Version: 2.1
Name: heliograph
Version: ${version}
Summary: Client of the Heliograph messaging API
License: MIT
Requires-Python: >=3.9
Description-Content-Type: text/markdown

${readFileSync(join(here, 'README.md'), 'utf8')}`;
files[`${about}/WHEEL`] =
  'Wheel-Version: 1.0\nGenerator: heliograph\nRoot-Is-Purelib: true\nTag: py3-none-any\n';
const digest = (content: string) => createHash('sha256').update(content).digest('base64url');
files[`${about}/RECORD`] = [
  ...Object.entries(files).map(
    ([name, content]) => `${name},sha256=${digest(content)},${Buffer.byteLength(content)}`,
  ),
  `${about}/RECORD,,`,
  '',
].join('\n');
const wheel = `heliograph-${version}-py3-none-any.whl`;
writeArchive(join(out, wheel), files);
console.log(wheel);
