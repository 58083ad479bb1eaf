import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, normalize, resolve } from 'node:path';
import { parseAst } from 'vitest/node';

const ROOT = resolve(import.meta.dirname, '../../..');
const SOURCES = [
  'apps/*/src/**/*.{ts,tsx}',
  'packages/*/src/**/*.ts',
  'migrations/*.ts',
  'seeds/*.ts',
];

export interface Import {
  from: string;
  /** A path from the root of the repository, or the name of a package. */
  to: string;
  isType: boolean;
}

/** Sources without their tests, as paths from the root of the repository. */
export async function sourceFiles(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(SOURCES, { cwd: ROOT })) {
    if (!/\.test\.tsx?$|\/(node_modules|dist)\//.test(file)) files.push(file);
  }
  return files.sort();
}

export function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Every import and re-export of a file, types included, and what it loads lazily. */
export function importsOf(file: string, files: ReadonlySet<string>): Import[] {
  const text = read(file);
  const { body } = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  const found = body.flatMap((node) => {
    if (!('source' in node) || !node.source) return [];
    const { importKind, exportKind } = node as { importKind?: string; exportKind?: string };
    return [{ name: node.source.value, isType: (importKind ?? exportKind) === 'type' }];
  });
  for (const [, name] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g))
    found.push({ name: name!, isType: false });
  return found.map(({ name, isType }) => ({ from: file, to: target(name, file, files), isType }));
}

function target(name: string, from: string, files: ReadonlySet<string>): string {
  const ours = /^@heliograph\/(\w+)$/.exec(name);
  if (ours) return `packages/${ours[1]}/src/index.ts`;
  if (!name.startsWith('.')) return name;
  const path = normalize(join(dirname(from), name));
  return [path, `${path}.ts`, `${path}.tsx`].find((candidate) => files.has(candidate)) ?? path;
}

/** Files that import one another in a circle. What is imported as a type alone is not there when the code runs. */
export function cycles(imports: readonly Import[]): string[] {
  const next = Map.groupBy(
    imports.filter((i) => !i.isType),
    (i) => i.from,
  );
  const done = new Set<string>();
  const path: string[] = [];
  const found: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push([...path.slice(at), file].join(' -> '));
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const { to } of next.get(file) ?? []) visit(to);
    path.pop();
    done.add(file);
  };
  for (const file of next.keys()) visit(file);
  return found;
}
