import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, World } from './world.ts';

const run = promisify(execFile);
const programs = fileURLToPath(new URL('clients', import.meta.url));
const compiler = fileURLToPath(
  new URL('../../../node_modules/typescript/bin/tsc', import.meta.url),
);
const CLIENTS = ['openapi-fetch', 'hey-api', 'orval'];
/** A program of the generators' package. */
const tool = (name: string, file: string, args: string[]) =>
  run(process.execPath, [join(programs, 'node_modules', name, file), ...args], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
/** On the average, in a Postman collection. */
const MAX_BYTES_OF_OPERATION = 12_000;
const folder = mkdtempSync(join(tmpdir(), 'heliograph-clients-'));
let world: World;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  const answer = await fetch(`${world.base}/api/openapi.json`);
  writeFileSync(join(folder, 'openapi.json'), await answer.text());
  cpSync(programs, folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  symlinkSync(join(programs, 'node_modules'), join(folder, 'node_modules'));
  // In the generators' package, so that their output compiles unchanged.
  await run(process.execPath, ['generate.ts', join(folder, 'openapi.json'), folder, world.base], {
    cwd: programs,
  });
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

test('clients that are generated from the document compile strictly', async () => {
  const options = '--strict --module nodenext --target es2024 --lib es2024,dom,dom.iterable';
  const args = [...options.split(' '), '--skipLibCheck', '--types', 'node'];
  const { stdout } = await run(
    process.execPath,
    [compiler, ...args, ...CLIENTS.map((name) => `${name}.ts`), 'types.ts'],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

test.each(CLIENTS)(
  '%s signs in, sends once under a key, lists a range, reads, uploads and gets typed errors',
  async (program) => {
    const { username } = await world.person();
    const since = new Date(Date.now() - 60_000).toISOString();
    const args = [join(folder, `${program}.js`), world.base, username, PASSWORD, since];
    const { stderr } = await run(process.execPath, args);
    expect(stderr).toBe('');
  },
);

test('the document has no problem by the recommended rules of Redocly', async () => {
  // Names beside ids, such as `/storage/usage` and `/storage/{id}`, are paths of the API; the server of a test is local.
  const skipped = ['--skip-rule=no-ambiguous-paths', '--skip-rule=no-server-example.com'];
  const args = ['lint', 'openapi.json', '--format=json', ...skipped];
  const { stdout } = await tool('@redocly/cli', 'bin/cli.js', args);
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

/** It reads the document as a whole, with all that is referred to in the place of the references. */
const LINT_TIMEOUT = 1_200_000;
test(
  'the document has no problem by the rules of Spectral for OpenAPI',
  { timeout: LINT_TIMEOUT },
  async () => {
    const { stdout } = await run(process.execPath, ['lint.ts', join(folder, 'openapi.json')], {
      cwd: programs,
    });
    expect(JSON.parse(stdout)).toEqual([]);
  },
);

interface Item {
  name: string;
  item?: Item[];
  response?: unknown[];
}
const requestsOf = (items: Item[]): Item[] =>
  items.flatMap((one) => (one.item ? requestsOf(one.item) : [one]));

test('a Postman collection has every operation, the address and the sign-in once, and stays small', async () => {
  await tool('openapi-to-postmanv2', 'bin/openapi2postmanv2.js', [
    '-s',
    'openapi.json',
    '-o',
    'postman.json',
  ]);
  const text = readFileSync(join(folder, 'postman.json'), 'utf8');
  const collection = JSON.parse(text) as { item: Item[]; variable: object[]; auth: object };
  const { paths, servers } = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as {
    paths: Record<string, object>;
    servers: { url: string }[];
  };
  const operations = Object.values(paths).flatMap((item) => Object.keys(item));
  expect(requestsOf(collection.item)).toHaveLength(operations.length);
  expect(collection.variable).toEqual([{ key: 'baseUrl', value: servers[0]!.url }]);
  expect(collection.auth).toMatchObject({ type: 'bearer' });
  // As much as an operation says of itself, however many there are: no schema is written out for each of its refusals.
  expect(text.length / operations.length).toBeLessThan(MAX_BYTES_OF_OPERATION);
});
