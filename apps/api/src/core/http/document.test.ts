import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopTime } from '../../../test/stopped-time.ts';
import { World } from '../../../test/world.ts';

const SCRIPT = `export default ${JSON.stringify('tea '.repeat(500))};`;
let world: World;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-cabinet-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Cabinet</title>');
  writeFileSync(join(folder, 'service-worker.js'), "const version = '__VERSION__';");
  writeFileSync(join(folder, 'assets/app-1a2b.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets/app-1a2b.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'assets/plain-1a2b.js'), SCRIPT);
  world = await World.start({ CABINET_DIR: folder });
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  bytes: Buffer;
}

/** As sent, not decompressed. */
function read(path: string, headers: Record<string, string> = {}, base = world.base) {
  const { hostname, port } = new URL(base);
  const sent = { accept: 'text/html,*/*', ...headers };
  return new Promise<Answer>((resolve, reject) => {
    request({ hostname, port, path, headers: sent, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Answer['headers'],
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

const decoded = ({ headers, bytes }: Answer): string => {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(bytes).toString();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
};

const DOCUMENTS = [
  '/api/openapi.json',
  '/api/asyncapi.json',
  '/api/postman.json',
  '/docs/en/api/reference.md',
  '/docs/ru/api/HTTP-REST.md',
  '/docs/es/index.json',
  '/assets/app-1a2b.js',
  '/service-worker.js',
  '/messages',
];
const ENCODINGS: [accepted: string, encoding: string | undefined][] = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['*', 'br'],
  ['identity', undefined],
  ['br;q=0, gzip;q=0', undefined],
];
test.each(DOCUMENTS)('%s is sent in the encoding that the client accepts', async (path) => {
  const plain = await read(path);
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const [accepted, encoding] of ENCODINGS) {
    const answer = await read(path, { 'accept-encoding': accepted });
    expect([accepted, answer.status, answer.headers['content-encoding']]).toEqual([
      accepted,
      200,
      encoding,
    ]);
    expect(answer.headers.vary).toContain('Accept-Encoding');
    expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    expect(decoded(answer)).toBe(plain.bytes.toString());
  }
});

test.each(DOCUMENTS)('%s is not sent again to a client that has it', async (path) => {
  for (const accepted of ['br', 'gzip', 'identity']) {
    const { headers } = await read(path, { 'accept-encoding': accepted });
    const again = await read(path, {
      'accept-encoding': accepted,
      'if-none-match': headers.etag!,
    });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    expect(again.headers.vary).toContain('Accept-Encoding');
  }
});

test('a file without a compressed form is sent as it is, and a missing one is no file', async () => {
  const plain = await read('/assets/plain-1a2b.js', { 'accept-encoding': 'br' });
  expect([plain.headers['content-encoding'], plain.bytes.toString()]).toEqual([undefined, SCRIPT]);
  const kept = await read('/assets/app-1a2b.js', { 'accept-encoding': 'br' });
  expect(kept.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const missing = await read('/assets/gone.js', { 'accept-encoding': 'br', accept: '*/*' });
  expect(missing.headers['content-type']).toContain('text/html');
});

test('readers are counted by network, by what is sent to them', async () => {
  stopTime();
  const { base } = await world.startApi({ RATE_SCALE: 0.001 });
  const left = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.ratelimit!)![1]);
  // 30 in a minute: a document counts for each started 100 kB that is sent.
  const costOf = ({ bytes }: Answer) => Math.ceil(bytes.length / 100_000);
  const first = await read('/api/openapi.json', { 'accept-encoding': 'br' }, base);
  expect(costOf(first)).toBeLessThan(4);
  expect(left(first)).toBe(30 - costOf(first));
  const known = await read('/api/openapi.json', { 'if-none-match': first.headers.etag! }, base);
  expect([known.status, left(known)]).toEqual([304, left(first) - 1]);
  const whole = await read('/api/openapi.json', {}, base);
  expect(left(whole)).toBe(left(known) - costOf(whole));
  const paths = ['/docs/en/index.json', '/docs/images/en/home.webp', '/messages', '/otp/widget.js'];
  for (const path of paths) {
    const answers: Answer[] = [];
    for (let i = 0; i < 30; i++) answers.push(await read(path, {}, base));
    expect(answers.at(-1)).toMatchObject({ status: 429 });
    expect(answers.at(-1)!.headers['retry-after']).toMatch(/^\d+$/);
  }
  const refused = await read('/api/openapi.json', { 'accept-encoding': 'br' }, base);
  expect(refused.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(refused.bytes.toString())).toMatchObject({ error: 429, code: 'rate_limited' });
});
