import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import openapiTs, { astToString } from 'openapi-typescript';
import { classOf, methodsOf, readArguments, type Method } from './methods.ts';
import type { Operations } from './src/client.ts';

/**
 * `build.ts DOCUMENT FOLDER` makes the package for TypeScript and JavaScript from the OpenAPI document of an installation:
 * modules for `import` and `require`, their types, and the manifest.
 */
const { file: documentFile, document, out } = readArguments();
const here = import.meta.dirname;
const { version } = document.info;

const methods = methodsOf(document);
const operations: Operations = Object.fromEntries(
  methods.map(([noun, all]) => [
    noun,
    Object.fromEntries(all.map(({ verb, operation }) => [verb, operation])),
  ]),
);

function signatureOf({ verb, operation, documented, params, needsQuery, about }: Method): string {
  const { operationId: id, requestBody } = documented;
  const given = params.map((name) => `${name}: string`);
  if (operation.body === 'file') given.push('file: Blob');
  else if (operation.body) given.push(`body${requestBody?.required ? '' : '?'}: Body<'${id}'>`);
  // Beside a body it is seldom used, and stands among the options.
  if (operation.query && operation.body)
    given.push(`options?: CallOptions & { query?: Query<'${id}'> }`);
  else {
    if (operation.query) {
      given.push(`query${needsQuery ? '' : '?'}: Query<'${id}'>`);
    }
    given.push('options?: CallOptions');
  }
  const result = operation.download ? 'Blob' : `Result<'${id}'>`;
  return `  /** ${about.replaceAll('*/', '*\\/')} */\n  ${verb}: (${given.join(', ')}) => Promise<${result}>;`;
}

const index = `import { Client, type CallOptions, type ClientOptions, type Operations } from './client.ts';
import type { components, operations } from './schema.ts';

type Operation = keyof operations;
/** The body of a call: \`Body<'sendings.create'>\`. */
export type Body<K extends Operation> = operations[K] extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'application/json': infer J } } ? J : never
  : never;
/** The query of a call. */
export type Query<K extends Operation> = NonNullable<operations[K]['parameters']['query']>;
type Content<R> = R extends { content: { 'application/json': infer J } } ? J : never;
type Results<R> = {
  [S in keyof R]: S extends number ? Exclude<Content<R[S]>, Schema<'ErrorBody'>> : never;
}[keyof R];
/** What a call resolves to. */
export type Result<K extends Operation> = Results<operations[K]['responses']>;
/** The schemas of the document by name: \`Schema<'Sending'>\`. */
export type Schema<K extends keyof components['schemas']> = components['schemas'][K];

${methods
  .map(
    ([noun, all]) => `export interface ${classOf(noun)} {\n${all.map(signatureOf).join('\n')}\n}`,
  )
  .join('\n\n')}

/** The version of the package. */
export const VERSION = ${JSON.stringify(version)};
const OPERATIONS: Operations = ${JSON.stringify(operations)};

/** The client of an installation: \`new Heliograph({ url: 'https://messages.example', token })\`. */
export class Heliograph extends Client {
${methods.map(([noun]) => `  declare readonly ${noun}: ${classOf(noun)};`).join('\n')}
  constructor(options: ClientOptions) {
    super(OPERATIONS, options);
  }
}

export { ApiError, NoAnswer, type FieldError } from './errors.ts';
export type { CallOptions, ClientOptions, Page } from './client.ts';
export { signWebhook, verifyWebhook, InvalidSignature, type WebhookCall } from './webhooks.ts';
export { confirmPhone, type Confirmation } from './codes.ts';
`;

rmSync(out, { recursive: true, force: true });
const work = join(out, 'work');
mkdirSync(work, { recursive: true });
symlinkSync(join(here, 'node_modules'), join(work, 'node_modules'));
// A field with a default may be left out of a body.
const schema = astToString(
  await openapiTs(new URL(`file://${documentFile}`), { defaultNonNullable: false }),
);
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
for (const [format, type] of [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
] as const) {
  const folder = join(work, format);
  cpSync(join(here, 'src'), join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src/schema.ts'), schema);
  writeFileSync(join(folder, 'src/index.ts'), index);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
  const compilerOptions = {
    strict: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    skipLibCheck: true,
    rootDir: 'src',
    outDir: join(out, 'dist', format),
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['src'] }),
  );
  execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' });
  // The compiler writes the names of the sources there.
  for (const name of readdirSync(join(out, 'dist', format)).filter((one) =>
    one.endsWith('.d.ts'),
  )) {
    const file = join(out, 'dist', format, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\/\w+)\.ts'/g, "$1.js'"));
  }
  writeFileSync(join(out, 'dist', format, 'package.json'), `${JSON.stringify({ type })}\n`);
}
rmSync(work, { recursive: true });

const entry = (name: string) => ({
  import: { types: `./dist/esm/${name}.d.ts`, default: `./dist/esm/${name}.js` },
  require: { types: `./dist/cjs/${name}.d.ts`, default: `./dist/cjs/${name}.js` },
});
const manifest = {
  name: '@heliograph/sdk',
  version,
  description: 'Client of the Heliograph messaging API',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: {
    '.': entry('index'),
    './socket': entry('socket'),
    './package.json': './package.json',
  },
  bin: { heliograph: './dist/esm/cli.js' },
  main: './dist/cjs/index.js',
  types: './dist/cjs/index.d.ts',
  files: ['dist', 'socket'],
  peerDependencies: { '@modelcontextprotocol/sdk': '^1.20.0', 'socket.io-client': '^4.8.0' },
  peerDependenciesMeta: {
    '@modelcontextprotocol/sdk': { optional: true },
    'socket.io-client': { optional: true },
  },
};
// For resolvers that do not know `exports`.
mkdirSync(join(out, 'socket'));
writeFileSync(
  join(out, 'socket/package.json'),
  `${JSON.stringify({ main: '../dist/cjs/socket.js', types: '../dist/cjs/socket.d.ts' })}\n`,
);
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
cpSync(join(here, 'README.md'), join(out, 'README.md'));
