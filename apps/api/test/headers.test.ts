import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from './world.ts';

const cabinet = mkdtempSync(join(tmpdir(), 'heliograph-cabinet-'));
const widget = mkdtempSync(join(tmpdir(), 'heliograph-widget-'));
let world: World;
let person: Person;

beforeAll(async () => {
  mkdirSync(join(cabinet, 'assets'));
  writeFileSync(join(cabinet, 'index.html'), '<title>Cabinet</title>');
  writeFileSync(join(cabinet, 'assets/app.js'), 'export {};');
  writeFileSync(join(widget, 'widget.js'), ';;;');
  writeFileSync(join(widget, 'demo.html'), '<title>Demo</title>');
  world = await World.start({
    CABINET_DIR: cabinet,
    WIDGET_DIR: widget,
    PUBLIC_URL: 'https://app.example',
    METRICS_TOKEN: 'a-token-of-the-operators',
  });
  person = await world.person();
});
afterAll(async () => {
  await world.stop();
  for (const folder of [cabinet, widget]) rmSync(folder, { recursive: true });
});

test.each([
  ['/assets/app.js', { range: 'bytes=900-' }, 416, 'bytes */10'],
  ['/assets/app.js', { 'if-match': '"other"' }, 400, null],
  ['/assets/app.js', { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }, 400, null],
  ['/otp/widget.js', { range: 'bytes=900-' }, 416, 'bytes */3'],
  ['/otp/widget.js', { 'if-match': '"other"' }, 400, null],
])(
  '%s with %j is refused, and nobody keeps the error as the file',
  async (path, headers, status, size) => {
    const answer = await fetch(world.base + path, { headers });
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.headers.get('content-range')).toBe(size);
    for (const name of ['etag', 'last-modified', 'accept-ranges'])
      expect(answer.headers.has(name)).toBe(false);
    await answer.json();
  },
);

interface Call {
  method?: 'get' | 'head' | 'post' | 'options';
  isSignedIn?: boolean;
  body?: string;
}

/** Sends one request; redirects are not followed. */
async function call(path: string, { method = 'get', isSignedIn, body }: Call = {}) {
  const sent = request(world.base)[method](path).redirects(0);
  // The same for all methods: lengths are compared.
  sent.set('accept-encoding', 'identity');
  if (isSignedIn) sent.set('authorization', person.token);
  const answer = await sent.send(body);
  return { status: answer.status, headers: new Headers(answer.headers as Record<string, string>) };
}

const PAGES = ['/', '/messages', '/nothing/here', '/assets/app.js', '/version.json', '/s/nothing'];
const CALLS: [path: string, call?: Call][] = [
  ['/api/health'],
  ['/api/openapi.json'],
  ['/api/asyncapi.json'],
  ['/api/postman.json'],
  ['/api/nothing'],
  ['/api/settings'],
  ['/api/settings', { isSignedIn: true }],
  ['/api/users', { isSignedIn: true }],
  ['/api/%ff'],
  ['/api/login', { method: 'post', body: '{' }],
  ['/api/login', { method: 'options' }],
];

test.each([...PAGES.map((path) => [path] as [string]), ...CALLS, ['/metrics'] as [string]])(
  '%s has all security headers',
  async (path, options) => {
    const { headers } = await call(path, options);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'strict-transport-security': 'max-age=31536000',
    });
    expect(headers.has('x-powered-by')).toBe(false);
    expect(headers.has('access-control-allow-origin')).toBe(false);
    expect(headers.get('permissions-policy')).toContain('camera=(), ');
    // The cabinet reads the position of users who consented.
    expect(headers.get('permissions-policy')).toContain('geolocation=(self)');
  },
);

/** Public, the same for everyone, and checked again each time. */
const DOCUMENTS = ['/api/openapi.json', '/api/asyncapi.json', '/api/postman.json'];
const uncached = CALLS.filter(([path]) => !DOCUMENTS.includes(path));
test.each(uncached)('%s is not cached', async (path, options) => {
  const { headers } = await call(path, options);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.has('etag')).toBe(false);
});

test.each(DOCUMENTS)('%s is checked again each time', async (path) => {
  const { headers } = await call(path);
  expect([headers.get('cache-control'), headers.has('etag')]).toEqual(['no-cache', true]);
});

test.each(PAGES)('%s: HEAD answers as GET, without a body', async (path) => {
  const [head, get] = [await call(path, { method: 'head' }), await call(path)];
  expect(head.status).toBe(get.status);
  for (const name of ['content-type', 'content-length', 'cache-control', 'content-security-policy'])
    expect(head.headers.get(name)).toBe(get.headers.get(name));
});

test('allows scripts and connections of its own origin only', async () => {
  const policy = new Map(
    (await call('/')).headers
      .get('content-security-policy')!
      .split(';')
      .map((directive) => directive.split(/ (.*)/s) as [string, string]),
  );
  expect(Object.fromEntries(policy)).toMatchObject({
    'default-src': "'self'",
    'script-src': "'self'",
    'script-src-attr': "'none'",
    'connect-src': "'self' wss://app.example",
    'object-src': "'none'",
    'frame-src': "'none'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
  });
  expect([...policy.keys()]).toContain('upgrade-insecure-requests');
});

test('the script of the widget may be embedded by pages of other sites', async () => {
  const { status, headers } = await call('/otp/widget.js');
  expect([status, Object.fromEntries(headers)]).toMatchObject([
    200,
    {
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=600',
      'x-content-type-options': 'nosniff',
    },
  ]);
});

test('the demo page of the widget allows nothing inline and no frame around it', async () => {
  const { status, headers } = await call('/otp/demo');
  const policy = headers.get('content-security-policy')!;
  expect([status, headers.get('cross-origin-resource-policy')]).toEqual([200, 'same-origin']);
  expect(policy).toContain("default-src 'none'; script-src 'self' https://");
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("frame-ancestors 'none'");
});

test('assets are cached for a year, pages are revalidated', async () => {
  const rule = async (path: string) => (await call(path)).headers.get('cache-control');
  expect(await rule('/assets/app.js')).toBe('public, max-age=31536000, immutable');
  expect([await rule('/'), await rule('/version.json')]).toEqual(['no-cache', 'no-cache']);
});

test('sends no HSTS and no upgrade directive without TLS', async () => {
  const plain = await World.start({ CABINET_DIR: cabinet, PUBLIC_URL: 'http://127.0.0.1:3999' });
  const headers = new Headers(
    (await request(plain.base).get('/')).headers as Record<string, string>,
  );
  expect(headers.has('strict-transport-security')).toBe(false);
  const policy = headers.get('content-security-policy');
  expect(policy).not.toContain('upgrade-insecure-requests');
  expect(policy).toContain("connect-src 'self' ws://127.0.0.1:3999;");
  await plain.stop();
});

test('answers a request that is not HTTP with no-store and nosniff', async () => {
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(world.base).port), '127.0.0.1');
    socket.once('error', reject).once('data', (data) => resolve(data.toString()));
    socket.write('nonsense\r\n\r\n');
  });
  expect(text).toMatch(/cache-control: no-store\r\n/);
  expect(text).toMatch(/x-content-type-options: nosniff\r\n/);
});

test('redirects neither for a folder nor for a path with two slashes', async () => {
  for (const path of [
    '/assets',
    '//evil.example/assets',
    '/assets/..%2f..%2f',
    '/%2e%2e/%2e%2e/',
  ]) {
    const answer = await call(path);
    expect([path, answer.status, answer.headers.get('location')]).toEqual([
      path,
      answer.status,
      null,
    ]);
    expect(answer.status).toBeLessThan(500);
  }
});

test('an idle connection outlives those that proxies keep, so that none sends a request into one that closes', async () => {
  const answer = await fetch(`${world.base}/api/health/live`);
  expect(answer.headers.get('keep-alive')).toBe('timeout=125');
});
