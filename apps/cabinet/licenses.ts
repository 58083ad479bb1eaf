import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  license?: string | { type: string };
  licenses?: { type: string }[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The folder of an installed package in the path of one of its modules. */
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
const API = fileURLToPath(new URL('../api', import.meta.url));
const CABINET = fileURLToPath(new URL('.', import.meta.url));

/**
 * Writes `licenses.json`, the packages that the bundle contains and those that the server loads, and `licenses.txt`, their
 * licence texts, which many licences require to be passed on.
 */
export function licenses(): Plugin {
  return {
    name: 'licenses',
    apply: 'build',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) =>
        chunk.type === 'chunk' ? Object.keys(chunk.modules) : [],
      );
      // Web workers are bundles of their own, with packages that the cabinet itself names.
      const browser = new Set([
        ...modules.flatMap((id) => PACKAGE.exec(id)?.[1] ?? []),
        ...installed(CABINET).filter(isPackage),
      ]);
      const server = installedBelow(API);
      const folders = [...new Set([...browser, ...server])];
      const packages = folders.map((folder) => ({
        ...factsOf(readManifest(folder)),
        browser: browser.has(folder),
        server: server.has(folder),
        folder,
      }));
      packages.sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
      const list = packages.map(({ folder, ...facts }) => facts);
      this.emitFile({ type: 'asset', fileName: 'licenses.json', source: JSON.stringify(list) });
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: textsOf(packages) });
    },
  };
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

function factsOf({ name, version, license, licenses: older }: Manifest) {
  const id = typeof license === 'string' ? license : (license?.type ?? older?.[0]?.type);
  // A few old packages state none.
  return { name, version, license: id ?? null };
}

/** Dependencies that the workspace removes from the packages that ask for them: `exceljs>unzipper: '-'`. */
const REMOVED = new Set(
  [
    ...readFileSync(new URL('../../pnpm-workspace.yaml', import.meta.url), 'utf8').matchAll(
      /^ {2}([^\s>]+>[^\s>]+): '-'$/gm,
    ),
  ].map(([, path]) => path),
);

/** The packages that a package names as needed at run time. */
function installed(folder: string): string[] {
  const { name: owner, dependencies, optionalDependencies } = readManifest(folder);
  const paths = createRequire(join(folder, 'package.json')).resolve.paths('x') ?? [];
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    const found = paths.find((path) => existsSync(join(path, name, 'package.json')));
    if (found) return realpathSync(join(found, name));
    // Packages for other platforms are not installed.
    if (optionalDependencies?.[name] || REMOVED.has(`${owner}>${name}`)) return [];
    throw new Error(`${name} is not installed.`);
  });
}

/** The workspace's own packages stand outside of `node_modules`. */
const isPackage = (folder: string) => PACKAGE.test(join(folder, 'package.json'));

/** These packages and all that they need in turn. */
function installedBelow(root: string): Set<string> {
  const seen = new Set<string>();
  const visit = (folder: string) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    installed(folder).forEach(visit);
  };
  visit(root);
  return new Set([...seen].filter(isPackage));
}

/** Every text once, below the packages that it belongs to. */
function textsOf(
  packages: { name: string; version: string; license: string | null; folder: string }[],
) {
  const owners = new Map<string, string[]>();
  for (const { name, version, license, folder } of packages) {
    const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    const text = texts.join('\n\n') || (license ?? 'No licence stated');
    owners.set(text, [...(owners.get(text) ?? []), `${name} ${version}`]);
  }
  return [...owners]
    .map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(72)}\n\n`);
}
