import { strToU8, zipSync } from 'fflate';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Operation } from './src/client.ts';

/** An operation of the OpenAPI document of an installation. */
export interface Documented {
  operationId: string;
  summary: string;
  description: string;
  'x-repeatable': Operation['repeatable'];
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, { schema?: { anyOf?: object[] } }> }>;
}
export interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Documented>>;
}

/** A method of a client: `sendings.create`. */
export interface Method {
  noun: string;
  verb: string;
  operation: Operation;
  documented: Documented;
  /** Names of what stands in the path, in order. */
  params: string[];
  /** Whether it does nothing without a query. */
  needsQuery: boolean;
  /** One line. */
  about: string;
}

/** The document of the command line `DOCUMENT OUT`, and where the package goes. */
export function readArguments(): { file: string; document: Document; out: string } {
  const [file, out] = process.argv.slice(2).map((path) => resolve(path)) as [string, string];
  return { file, document: JSON.parse(readFileSync(file, 'utf8')) as Document, out };
}

/** The name of the type that has the calls of a noun. */
export const classOf = (noun: string): string => noun[0]!.toUpperCase() + noun.slice(1);

/** Writes texts by name into a zip archive. */
export function writeArchive(path: string, files: Record<string, string>): void {
  const entries = Object.entries(files).map(([name, content]) => [name, strToU8(content)] as const);
  writeFileSync(path, zipSync(Object.fromEntries(entries)));
}

/** The methods of all clients by noun, in the order of the document. */
export function methodsOf({ paths }: Document): [noun: string, methods: Method[]][] {
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, documented]): Method[] => {
      const [noun, verb, alias] = documented.operationId.split('.') as [string, string, string?];
      // Another method of the same call, for older clients.
      if (alias) return [];
      const operation = operationOf(method.toUpperCase(), path, documented);
      const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      const about = `${documented.summary}. ${documented.description}`.replaceAll(/\s+/g, ' ');
      const needsQuery = documented.parameters?.some((one) => one.in === 'query' && one.required);
      return [
        {
          noun,
          verb,
          operation,
          documented,
          params,
          needsQuery: needsQuery === true,
          about: about.trim(),
        },
      ];
    }),
  );
  return [...Map.groupBy(methods, ({ noun }) => noun)];
}

function operationOf(method: string, path: string, documented: Documented): Operation {
  const { parameters = [], requestBody } = documented;
  const types = successOf(documented);
  const isFile = requestBody && 'multipart/form-data' in requestBody.content;
  // Where an error is documented with something else.
  const results = Object.entries(documented.responses)
    .filter(
      ([status, { content }]) =>
        !status.startsWith('2') && content?.['application/json']?.schema?.anyOf,
    )
    .map(([status]) => Number(status));
  const query = parameters.filter((parameter) => parameter.in === 'query');
  return {
    method,
    path,
    repeatable: documented['x-repeatable'],
    ...(requestBody && { body: isFile ? ('file' as const) : ('json' as const) }),
    ...(query.length && { query: true }),
    ...(query.some(({ name }) => name === 'cursor') && { cursor: true }),
    ...(path.includes('longPolling') && { longPoll: true }),
    ...(results.length && { results }),
    ...(types.some((type) => type !== 'application/json') && { download: true }),
  };
}

/** The content types of its successes. */
function successOf({ responses }: Documented): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => Object.keys(content ?? {}));
}
