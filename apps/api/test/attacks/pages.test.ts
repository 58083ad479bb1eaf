import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../world.ts';
import { Target } from './target.ts';

const PUBLIC_URL = 'https://cabinet.example';
let target: Target;
let person: Person;
beforeAll(async () => {
  target = await Target.start({ PUBLIC_URL });
  person = await target.person();
});
afterAll(() => target.stop());

const FILES = [
  '/../../../../etc/passwd',
  '/..%2f..%2f..%2fetc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%5c..%5cwindows/win.ini',
  '/assets/../../package.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/.env',
  '/.git/config',
  '/package.json',
  '/index.html%00.js',
  '/assets/%00',
  '/assets/..;/..;/package.json',
  '//etc/passwd',
  '/%252e%252e/package.json',
  '/src/main.ts',
  '/main.js.map',
  '/node_modules/pg/package.json',
  '/%c0%ae%c0%ae/etc/passwd',
];
test.each(FILES)('%s shows no file', async (path) => {
  await target.attack(async () => {
    for (const prefix of ['', '/api', '/s']) {
      const { text } = await target.read(prefix + path);
      expect(text).not.toMatch(/root:|"dependencies"|\[core\]|DATABASE_URL|import .* from/);
    }
  });
});

const HOSTS: [name: string, headers: Record<string, string>][] = [
  ['X-Forwarded-Host', { 'x-forwarded-host': 'evil.example' }],
  ['X-Forwarded-Server', { 'x-forwarded-server': 'evil.example' }],
  ['X-Host', { 'x-host': 'evil.example' }],
  ['Forwarded', { forwarded: 'host=evil.example;proto=http' }],
  ['X-Original-URL', { 'x-original-url': 'https://evil.example/' }],
  ['X-Rewrite-URL', { 'x-rewrite-url': '/api/metrics' }],
  ['X-HTTP-Method-Override', { 'x-http-method-override': 'DELETE' }],
  ['Origin', { origin: 'https://evil.example' }],
  ['Referer', { referer: 'https://evil.example/' }],
];
test.each(HOSTS)('%s is ignored', async (_, headers) => {
  await target.attack(async () => {
    const link = await target.shoot('/api/links', {
      token: person.token,
      headers,
      body: { url: 'https://tea.example/' },
    });
    expect(link.status).toBe(201);
    expect(link.json.shortUrl).toMatch(/^https:\/\/cabinet\.example\//);
    for (const path of ['/', '/login', '/api/settings', '/api/health', '/s/unknown']) {
      const { text, headers: answered } = await target.shoot(path, { headers });
      expect(text + [...answered.entries()].flat().join(' ')).not.toContain('evil.example');
    }
  });
});

const PATHS = [
  '/',
  '/login',
  '/api/health',
  '/api/users/me',
  '/api/nowhere',
  '/api/openapi.json',
  '/api/asyncapi.json',
  '/api/postman.json',
  '/version.json',
  '/s/unknown',
  '/o/unknown',
  '/nowhere',
];
test.each(PATHS)('%s has the security headers', async (path) => {
  const { headers } = await target.shoot(path);
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('server')).toBeNull();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{7,}/);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/frame-ancestors 'none'/);
  expect(policy).not.toMatch(/(script|connect)-src[^;]*(\*| wss?:(;| |$)|unsafe-eval)/);
  const isKept = !path.startsWith('/api') || path.endsWith('.json');
  expect(isKept || headers.get('cache-control') === 'no-store').toBe(true);
});

test('no other site may read the answers', async () => {
  await target.attack(async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'https://cabinet.example.evil.example',
      'http://cabinet.example',
    ]) {
      const { headers } = await target.shoot('/api/users/me', {
        token: person.token,
        headers: { origin },
      });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});

describe('a short link', () => {
  const TARGETS = [
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'ftp://tea.example/',
    'https://user:pass@tea.example/',
    'https:\\\\evil.example',
    '//evil.example',
    'https://',
    'http://localhost/',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'vbscript:x',
    'https://tea',
    `https://tea.example/${'a'.repeat(5000)}`,
  ];
  test.each(TARGETS)('does not lead to %j', async (url) => {
    await target.attack(async () => {
      const { status } = await target.shoot('/api/links', { token: person.token, body: { url } });
      expect(status).toBe(422);
    });
  });

  test('sends no header of its own', async () => {
    const url = 'https://tea.example/\r\nSet-Cookie: a=b';
    await target.attack(async () => {
      const { status, json } = await target.shoot('/api/links', {
        token: person.token,
        body: { url },
      });
      if (status === 422) return;
      const { pathname } = new URL(json.shortUrl as string);
      const { headers } = await target.shoot(pathname);
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('location')).not.toMatch(/[\r\n]/);
    });
  });

  test('cannot be found by guessing', async () => {
    let refused = 0;
    for (let i = 0; i < 400; i++) {
      const { status } = await target.shoot(`/s/${i.toString(36).padStart(7, 'x')}`);
      if (status === 429) refused++;
    }
    expect(refused).toBeGreaterThan(0);
  });
});

const SECRETS = [
  '/metrics',
  '/api/metrics',
  '/api/docs',
  '/api/debug',
  '/api/config',
  '/api/env',
  '/debug/pprof',
  '/actuator',
  '/server-status',
  '/api/admin',
  '/queues',
  '/bull',
];
test.each(SECRETS)('%s discloses nothing without a session', async (path) => {
  const { text } = await target.shoot(path);
  expect(text).not.toMatch(/postgres:\/\/|redis:\/\/|whsec_|"secret"|password_hash|\$argon2/);
});
