import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { importsOf, sourceFiles } from './import-graph.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * Packages with faults that nobody mends, and what they are here for. The image is made with `pnpm install --prod` of the API: what is
 * not among its dependencies, and theirs, is not there.
 */
const FAULTY = {
  's3rver@': 'an S3 server for tests',
  'busboy@0.': 'by which s3rver reads forms of browsers, which tests do not send',
  'dicer@': 'the same',
  'fast-xml-parser@3.': 'by which s3rver reads bodies of tests',
  'unzipper@': 'taken out of exceljs, which unpacks nothing here',
  'archiver@': 'the same',
  'tmp@': 'the same',
};

/** Blocks of the lockfile that are named by a line of so many blanks, by name. */
function blocks(text: string, indent: number): Map<string, string> {
  const start = new RegExp(`^ {${indent}}(\\S.*?):(?: \\{\\})?$`, 'm');
  const found = new Map<string, string>();
  let name: string | null = null;
  for (const line of text.split('\n')) {
    const match = start.exec(line);
    if (match) found.set((name = match[1]!.replace(/^'|'$/g, '')), '');
    else if (name !== null) found.set(name, `${found.get(name)!}${line}\n`);
  }
  return found;
}

const sectionsOf = (text: string) =>
  new Map(
    text
      .split(/^(?=\w+:$)/m)
      .map((part) => [part.slice(0, part.indexOf(':')), part.slice(part.indexOf('\n') + 1)]),
  );

let runtime: Set<string>;
let tests: Set<string>;
beforeAll(() => {
  const sections = sectionsOf(readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8'));
  const importers = blocks(sections.get('importers')!, 2);
  const snapshots = blocks(sections.get('snapshots')!, 2);
  const named = (block: string, kind: string): string[] =>
    [...blocks(blocks(block, 4).get(kind) ?? '', 6)].map(
      ([name, lines]) => `${name}@${/version: (.*)/.exec(lines)![1]!.replace(/^'|'$/g, '')}`,
    );
  const closure = (roots: string[]): Set<string> => {
    const reached = new Set<string>();
    const open = [...roots];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const linked = /@link:(.*)$/.exec(id);
      if (linked) {
        const folder = [...importers.keys()].find((key) =>
          key.endsWith(linked[1]!.replace(/^[./]+/, '/')),
        );
        if (!folder || reached.has(folder)) continue;
        reached.add(folder);
        open.push(...named(importers.get(folder)!, 'dependencies'));
        continue;
      }
      const snapshot = snapshots.get(id);
      if (snapshot === undefined || reached.has(id)) continue;
      reached.add(id);
      for (const [, name, version] of snapshot.matchAll(/^ {6}'?(\S+?)'?: '?(.+?)'?$/gm))
        open.push(`${name}@${version}`, version!);
    }
    return reached;
  };
  const api = importers.get('apps/api')!;
  runtime = closure(named(api, 'dependencies'));
  tests = closure(named(api, 'devDependencies'));
});

test('the image has none of the packages with known faults', () => {
  const has = (reached: Set<string>, prefix: string) =>
    [...reached].filter((id) => id.startsWith(prefix));
  // That packages are found at all, those of workspaces and of packages.
  expect(has(runtime, 'exceljs@')).toHaveLength(1);
  expect(has(runtime, 'zod@')).not.toEqual([]);
  expect(has(runtime, 'saxes@')).not.toEqual([]);
  expect(has(tests, 's3rver@')).not.toEqual([]);
  expect(has(tests, 'busboy@0.')).not.toEqual([]);
  for (const prefix of Object.keys(FAULTY)) expect(has(runtime, prefix)).toEqual([]);
});

test('what runs imports no package of the tests', async () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'apps/api/package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const ofTests = Object.keys(manifest.devDependencies).filter(
    (name) => !(name in manifest.dependencies),
  );
  expect(ofTests).toContain('s3rver');
  const files = await sourceFiles();
  const known = new Set(files);
  const breaches = files
    // The client is a package of its own, which the product does not run.
    .filter((file) => /^(apps\/api|packages\/(?!sdk)|migrations|seeds)\/?/.test(file))
    .flatMap((file) => importsOf(file, known))
    .filter(
      ({ to, isType }) =>
        !isType && ofTests.some((name) => to === name || to.startsWith(`${name}/`)),
    );
  expect(breaches).toEqual([]);
});
