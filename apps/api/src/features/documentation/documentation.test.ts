import { ERRORS, OTP_ERRORS } from '@heliograph/contract';
import { RULES } from '@heliograph/contract/descriptions';
import { SENDING_ERRORS } from '@heliograph/domain';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { World } from '../../../test/world.ts';
import { openapi } from '../../core/http/openapi/openapi.ts';
import { createReference, referenceEndpoints } from './reference.ts';

const DOCS = join(import.meta.dirname, '../../../../../docs');
const PUBLIC_URL = 'https://beacon.example';
const SCRIPT = '# Notes\n\n<script>alert(1)</script>\n';

let world: World;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-docs-'));
  for (const part of ['en', 'ru', 'es', 'examples', 'images'])
    cpSync(join(DOCS, part), join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'secret.md'), 'secret');
  writeFileSync(join(folder, 'en/.hidden.md'), 'secret');
  writeFileSync(join(folder, 'en/api/notes.md'), SCRIPT);
  const cabinet = join(folder, 'cabinet');
  cpSync(join(import.meta.dirname, '../../../../cabinet/index.html'), join(cabinet, 'index.html'));
  world = await World.start({
    DOCS_DIR: folder,
    CABINET_DIR: cabinet,
    PUBLIC_URL,
    TITLE: 'Beacon',
    OPERATOR: 'Beacon Ltd',
    SUPPORT_EMAIL: 'help@beacon.example',
  });
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

const read = (path: string, init?: RequestInit) => fetch(`${world.base}/docs/${path}`, init);

test('answers a page as markdown that is checked again each time', async () => {
  const answer = await read('en/api/HTTP-REST.md');
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/markdown; charset=utf-8',
    'content-language': 'en',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  const text = await answer.text();
  expect(text).toMatch(/^# HTTP API\n/);
  const etag = answer.headers.get('etag')!;
  const again = await raw('/docs/en/api/HTTP-REST.md', 'GET', { 'if-none-match': etag });
  expect(again).toEqual({ status: 304, text: '' });
});

test('a page has the values of the installation, and nothing is left to fill in', async () => {
  const { pages } = (await (await read('en/index.json')).json()) as {
    pages: { category: string; file: string }[];
  };
  const texts = await Promise.all(
    pages.map(async ({ category, file }) => (await read(`en/${category}/${file}.md`)).text()),
  );
  expect(texts.join()).toContain(`${PUBLIC_URL}/api/sendings`);
  expect(texts.join()).toContain('Beacon Ltd');
  expect(texts.join()).toContain('help@beacon.example');
  for (const text of texts) expect(text).not.toMatch(/\{\{\w+\}\}|^@include|^<!--/m);
});

test('nested pages are found plain and encoded', async () => {
  for (const path of ['platform/user/instruction', 'platform/user%2Finstruction'])
    expect((await read(`en/${path}.md`)).status).toBe(200);
});

test('a language without the page gets the English one and is told so', async () => {
  const answer = await read('de/api/HTTP-REST.md');
  expect([answer.status, answer.headers.get('content-language')]).toEqual([200, 'en']);
  const { pages } = (await (await read('de/index.json')).json()) as { pages: { locale: string }[] };
  expect(new Set(pages.map(({ locale }) => locale))).toEqual(new Set(['en']));
});

test('a method of payment without an offer of its own has that of cards, in the language', async () => {
  const text = async (path: string) => (await read(path)).text();
  const card = await text('ru/misc/card-payment-offer.md');
  expect(await text('ru/misc/sandbox-payment-offer.md')).toBe(card);
  expect(await text('ru/misc/stripe-payment-offer.md')).not.toBe(card);
  expect((await read('ru/misc/barter-payment-offer.md')).status).toBe(404);
});

test('the list offers what exists: new files too, dialogs not, in the order of the menu', async () => {
  const { pages } = (await (await read('ru/index.json')).json()) as {
    pages: { category: string; file: string; title: string; locale: string }[];
  };
  const names = pages.map(({ category, file }) => `${category}/${file}`);
  const user = names.filter((name) => name.startsWith('platform/user/'));
  expect(names.slice(0, 3)).toEqual([
    'platform/user/instruction',
    'platform/user/send',
    'platform/user/results',
  ]);
  expect(names.slice(user.length, user.length + 6)).toEqual([
    'api/quick-start',
    'api/HTTP-REST',
    'api/reference',
    'api/errors',
    'api/SMPP',
    'api/OTP',
  ]);
  expect(names).toContain('api/notes');
  expect(names.some((name) => name.startsWith('misc/'))).toBe(false);
  expect(pages.find(({ file }) => file === 'reference')).toEqual({
    category: 'api',
    file: 'reference',
    title: 'Справочник API',
    locale: 'ru',
  });
});

test('a script in a file is sent as text', async () => {
  const answer = await read('en/api/notes.md');
  expect(await answer.text()).toBe(SCRIPT);
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
});

/** As sent, without the corrections of `fetch`. */
function raw(
  path: string,
  method = 'GET',
  headers: Record<string, string> = { accept: '*/*' },
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(world.base);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path, method, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode!, text }));
    });
    call.on('error', reject).end();
  });
}

const WRONG = [
  'en/api/nothing.md',
  'en/api/HTTP-REST',
  'en/api/HTTP-REST.md/',
  'en/api',
  'xx/api/HTTP-REST.md',
  'EN/api/HTTP-REST.md',
  'xx/index.json',
  'secret.md',
  'en/.hidden.md',
  'examples/send.sh',
  'architecture.md',
  'images/home.png',
  '../secret.md',
  'en/../secret.md',
  'en/api/../../secret.md',
  'en/..%2fsecret.md',
  'en/%2e%2e/secret.md',
  'en/%252e%252e/secret.md',
  'en/..%5csecret.md',
  'en//secret.md',
  'en/api/HTTP-REST.md%00',
  'en/api/%00.md',
  'en/api/%c0%ae%c0%ae/secret.md',
  'en/%',
  'en/__proto__/toString.md',
  '%2fetc/passwd',
  '',
];
test.each(WRONG)('answers 404 to /docs/%s, not the page of the cabinet', async (path) => {
  const { status, text } = await raw(`/docs/${path}`);
  expect([status, text]).toEqual([404, 'Not found']);
});

test('pages are only read', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await raw('/docs/en/api/HTTP-REST.md', method)).status).toBe(405);
  expect((await read('en/api/HTTP-REST.md', { method: 'HEAD' })).status).toBe(200);
});

const LANGUAGES = ['en', 'ru', 'es'];
const document = openapi({ version: '1.0.0', site: PUBLIC_URL });

test.each(LANGUAGES)('the reference in %s has every call of integrations', (locale) => {
  const text = createReference(locale, document);
  const calls = referenceEndpoints().flatMap(([, defs]) => defs);
  expect(calls.length).toBeGreaterThan(50);
  for (const { method, path } of calls)
    expect(text).toContain(`### ${method} ${path.replace(/:(\w+)/g, '{$1}')}\n`);
  // The state `undefined` of WhatsApp instances is a word of the API.
  expect(text.replaceAll(/[`"]undefined[`"]/g, '')).not.toContain('undefined');
});

test.each(LANGUAGES)('the guide in %s says what to do about every error code', async (locale) => {
  const guide = (await (await read(`${locale}/api/HTTP-REST.md`)).text()).replaceAll(
    /\[(`\w+`)\]\([^)]+\)/g,
    '$1',
  );
  const rows = new Set(
    guide.match(/^\| \d{3} \| `\w+` \| .{5,}\|$/gm)?.map((row) => row.slice(2, row.indexOf('` |'))),
  );
  const missing = Object.entries(ERRORS).filter(
    ([code, status]) => !rows.has(`${status} | \`${code}`),
  );
  expect(missing, `Add these to the table in docs/${locale}/api/HTTP-REST.md`).toEqual([]);
});

test.each(LANGUAGES)(
  'every error has a page in %s with its cause and what to do',
  async (locale) => {
    const list = await (await read(`${locale}/api/errors.md`)).text();
    const linked = [...list.matchAll(/\]\(errors\/([\w-]+)\.md\)/g)].map(([, name]) => name!);
    const names = [
      ...Object.keys(ERRORS),
      ...OTP_ERRORS.map((name) => `${name}Exception`),
      ...Object.keys(SENDING_ERRORS),
      ...Object.keys(RULES),
    ];
    expect(linked).toEqual(names);
    for (const name of new Set(names)) {
      const answer = await read(`${locale}/api/errors/${name}.md`);
      const text = await answer.text();
      expect(answer.headers.get('content-language'), name).toBe(locale);
      expect(text.split('\n')[0]).toBe(`# ${name}`);
      const meanings = names.filter((one) => one === name).length;
      expect(
        text.match(/^## .+\n\n\*\*.+\.\*\* .{10,}\n\n\*\*.+\.\*\* .{6,}$/gm),
        name,
      ).toHaveLength(meanings);
    }
  },
);

test('a name that is no error has no page', async () => {
  for (const name of ['nothing', 'toString', '__proto__', 'errors'])
    expect((await read(`en/api/errors/${name}.md`)).status).toBe(404);
});

test('the address in an error body is that of a page', async () => {
  const refused = await fetch(`${world.base}/api/users`);
  const { docs } = (await refused.json()) as { docs: string };
  expect(docs).toBe(`${PUBLIC_URL}/documentation/api/errors/unauthorized`);
  const otp = await fetch(`${world.base}/api/n/otp-handler/widget/${crypto.randomUUID()}`);
  expect(await otp.json()).toMatchObject({
    code: 'not_found',
    type: 'WidgetNotFoundException',
    docs: `${PUBLIC_URL}/documentation/api/errors/WidgetNotFoundException`,
  });
});

/** `issue(field, 'rule', …)`, `invalid(field, 'rule', …)` and `rule: 'rule'`. */
const REFUSAL = /(?:\b(?:issue|invalid)\([^,()]+,\s*|\brule: )'([a-z_]+)'/g;

test('a rule of the code is one that has a page', () => {
  const root = join(DOCS, '..');
  const files = globSync(['packages/{contract,domain}/src/**/*.ts', 'apps/api/src/**/*.ts'], {
    cwd: root,
    exclude: (file) => file.includes('.test.'),
  });
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(REFUSAL)].map(([, rule]) => rule!),
  );
  expect(found.length).toBeGreaterThan(100);
  // Rows of imported price lists are refused in a file of their own.
  const known = new Set([...Object.keys(RULES), 'repeated', 'formula']);
  expect([...new Set(found)].filter((rule) => !known.has(rule))).toEqual([]);
});
