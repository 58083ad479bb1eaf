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
import { join, resolve } from 'node:path';
import openapiTs, { astToString } from 'openapi-typescript';
import type { Operation, Operations } from './src/client.ts';

/**
 * `build.ts DOCUMENT FOLDER` makes the package for TypeScript and JavaScript from the OpenAPI document of an installation:
 * modules for `import` and `require`, their types, and the manifest.
 */
interface Documented {
  operationId: string;
  summary: string;
  description: string;
  'x-repeatable': Operation['repeatable'];
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, { schema?: { anyOf?: object[] } }> }>;
}
interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Documented>>;
}

const [documentFile, out] = process.argv.slice(2).map((path) => resolve(path)) as [string, string];
const document = JSON.parse(readFileSync(documentFile, 'utf8')) as Document;
const here = import.meta.dirname;
const { version } = document.info;

const operations: Operations = {};
const signatures: Record<string, string[]> = {};
for (const [path, methods] of Object.entries(document.paths)) {
  for (const [method, documented] of Object.entries(methods)) {
    const [noun, verb, alias] = documented.operationId.split('.') as [string, string, string?];
    // Another method of the same call, for older clients.
    if (alias) continue;
    (operations[noun] ??= {})[verb] = operationOf(method.toUpperCase(), path, documented);
    (signatures[noun] ??= []).push(signatureOf(verb, path, documented));
  }
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

function signatureOf(verb: string, path: string, documented: Documented): string {
  const { operationId: id, parameters = [], requestBody, summary, description } = documented;
  const operation = operationOf('', path, documented);
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  if (operation.body === 'file') params.push('file: Blob');
  else if (operation.body) params.push(`body${requestBody?.required ? '' : '?'}: Body<'${id}'>`);
  // Beside a body it is seldom used, and stands among the options.
  if (operation.query && operation.body)
    params.push(`options?: CallOptions & { query?: Query<'${id}'> }`);
  else {
    if (operation.query) {
      const isRequired = parameters.some((one) => one.in === 'query' && one.required);
      params.push(`query${isRequired ? '' : '?'}: Query<'${id}'>`);
    }
    params.push('options?: CallOptions');
  }
  const result = operation.download ? 'Blob' : `Result<'${id}'>`;
  const about = `${summary}. ${description}`.replaceAll('*/', '*\\/');
  return `  /** ${about} */\n  ${verb}: (${params.join(', ')}) => Promise<${result}>;`;
}

const interfaceOf = (noun: string) => noun[0]!.toUpperCase() + noun.slice(1);
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

${Object.entries(signatures)
  .map(([noun, lines]) => `export interface ${interfaceOf(noun)} {\n${lines.join('\n')}\n}`)
  .join('\n\n')}

/** The version of the package. */
export const VERSION = ${JSON.stringify(version)};
const OPERATIONS: Operations = ${JSON.stringify(operations)};

/** The client of an installation: \`new Heliograph({ url: 'https://messages.example', token })\`. */
export class Heliograph extends Client {
${Object.keys(signatures)
  .map((noun) => `  declare readonly ${noun}: ${interfaceOf(noun)};`)
  .join('\n')}
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
