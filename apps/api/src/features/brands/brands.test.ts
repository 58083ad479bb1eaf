import { brands, contract, settings, type Frontend } from '@heliograph/contract';
import { MAX_LOGO_BYTES } from '@heliograph/domain';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusal } from '../../../test/refusal.ts';
import { NO_BRAND, PICTURE } from '../../../test/samples/brands.ts';
import { World, type Person } from '../../../test/world.ts';

let world: World;
let cabinet: string;

beforeAll(async () => {
  cabinet = mkdtempSync(join(tmpdir(), 'heliograph-cabinet-'));
  const page = new URL('../../../../cabinet/index.html', import.meta.url);
  writeFileSync(join(cabinet, 'index.html'), readFileSync(page));
  world = await World.start({
    CABINET_DIR: cabinet,
    TITLE: 'Beacon',
    PUBLIC_URL: 'https://beacon.example',
    SUPPORT_EMAIL: 'help@beacon.example',
    OFFER_URL: 'https://beacon.example/offer',
    REGISTRATION: 'open',
  });
});
afterAll(async () => {
  await world.stop();
  rmSync(cabinet, { recursive: true });
});

const TEA = {
  ...NO_BRAND,
  title: 'Tea <SMS>',
  primary: '#0F766E',
  email: 'Help@Tea.example',
  locale: 'it' as const,
};

const resellerOf = (manager: Person) => world.person({ level: 'reseller', managerId: manager.id });

/** A reseller with a brand at a domain, and its manager. */
async function branded(domain: string, body: typeof TEA | typeof NO_BRAND = TEA) {
  const manager = await world.person({ level: 'manager' });
  const reseller = await resellerOf(manager);
  await reseller.api(brands.update, { body });
  await manager.api(brands.setDomain, { body: { OwnerId: reseller.id, domain } });
  return { manager, reseller };
}

/** What the page says, asked for by a host; `fetch` sets the header itself. */
function pageAt(host: string): Promise<{ title: string; frontend: Frontend; html: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.base);
    const headers = { host, accept: 'text/html' };
    request({ hostname, port, path: '/login', headers }, (response) => {
      let html = '';
      response.setEncoding('utf8').on('data', (part: string) => (html += part));
      response.on('end', () => {
        const content = /<meta name="frontend" content="([^"]*)"/.exec(html)![1]!;
        const text = content
          .replaceAll('&quot;', '"')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&');
        const title = /<title>(.*?)<\/title>/.exec(html)![1]!;
        resolve({ title, frontend: JSON.parse(text) as Frontend, html });
      });
    })
      .on('error', reject)
      .end();
  });
}

test('customers and members see the brand of their reseller, field by field', async () => {
  const { reseller } = await branded('sees.example');
  const customer = await world.person({ resellerId: reseller.id });
  const stranger = await world.person();
  const expected = {
    title: 'Tea <SMS>',
    colors: { primary: '#0f766e', accent: '#ffd43b' },
    support: { email: 'help@tea.example', phone: null, chat: null },
    documents: { privacy: null, offer: 'https://beacon.example/offer' },
    locale: 'it',
    logo: null,
    home: null,
  };
  expect((await customer.api(settings.get)).frontend).toMatchObject(expected);
  expect((await reseller.api(settings.get)).frontend).toMatchObject(expected);
  expect((await stranger.api(settings.get)).frontend).toMatchObject({
    title: 'Beacon',
    colors: { primary: '#1c6dd0' },
    support: { email: 'help@beacon.example' },
    locale: null,
  });
});

test('before the sign-in the host decides, and only a host of a brand', async () => {
  await branded('tea.example');
  const { title, frontend, html } = await pageAt('TEA.example:8443');
  expect(title).toBe('Tea &lt;SMS&gt;');
  expect(html).not.toContain('<SMS>');
  expect(frontend).toMatchObject({
    title: 'Tea <SMS>',
    home: 'https://beacon.example',
    // These belong to the address of the installation.
    passkeys: false,
    identityProviders: false,
    registration: false,
  });
  for (const host of ['beacon.example', 'x.tea.example', 'tea.example.', 'tea.example@x', 'evil'])
    expect((await pageAt(host)).frontend).toMatchObject({
      title: 'Beacon',
      home: null,
      passkeys: true,
      registration: true,
    });
});

test('a changed brand is on the page at once, and a removed domain is none', async () => {
  const { manager, reseller } = await branded('moves.example');
  expect((await pageAt('moves.example')).title).toBe('Tea &lt;SMS&gt;');
  await reseller.api(brands.update, { body: { ...NO_BRAND, title: 'Coffee' } });
  expect((await pageAt('moves.example')).title).toBe('Coffee');
  await manager.api(brands.setDomain, { body: { OwnerId: reseller.id, domain: null } });
  expect((await pageAt('moves.example')).title).toBe('Beacon');
});

test('who is no reseller any more has no brand', async () => {
  const { reseller } = await branded('former.example');
  await world.db.query(`update users set level = 'me' where id = $1`, [reseller.id]);
  const customer = await world.person({ resellerId: reseller.id });
  expect((await customer.api(settings.get)).frontend.title).toBe('Beacon');
});

test('colours that cannot be read are refused, also together with those of the installation', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const tried = (colors: object) =>
    refusal(reseller.api(brands.update, { body: { ...NO_BRAND, ...colors } }));
  expect(await tried({ primary: '#ffd43b' })).toBe('contrast');
  expect(await tried({ primary: '#0f766e', accent: '#0f766e' })).toBe('contrast');
  // On the blue of the installation.
  expect(await tried({ accent: '#1c6dd1' })).toBe('contrast');
  expect(await tried({ primary: 'red' })).toBe('color');
  expect(await tried({ primary: '#0f766e', accent: '#ffd43b' })).toBe('accepted');
});

test.each([
  ['privacy', 'javascript:alert(1)'],
  ['offer', 'http://tea.example/offer'],
  ['chat', 'https://chat'],
])('%s may not be %s', async (field, link) => {
  const reseller = await world.person({ level: 'reseller' });
  const refused = reseller.api(brands.update, { body: { ...NO_BRAND, [field]: link } });
  expect(await refusal(refused)).toBe('invalid_format');
});

test('a logo is a raster by its bytes, and is served for ever by its hash', async () => {
  const { reseller } = await branded('logo.example');
  const body = { scheme: 'light' as const, image: PICTURE };
  const { logo, darkLogo } = await reseller.api(brands.setLogo, { body });
  expect(darkLogo).toBeNull();
  const { frontend, html } = await pageAt('logo.example');
  expect(frontend.logo).toEqual({ light: logo, dark: logo });
  expect(html).toContain(`<link rel="icon" href="${logo}" />`);
  const response = await fetch(`${world.base}${logo!}`);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  });
  expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(PICTURE);
  await reseller.api(brands.setLogo, { body: { scheme: 'light', image: null } });
  expect((await fetch(`${world.base}${logo!}`)).status).toBe(404);
});

test.each([
  ['logo_type', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['logo_type', Buffer.from('<html><script>alert(1)</script>')],
  ['logo_bytes', Buffer.alloc(MAX_LOGO_BYTES + 1)],
  ['too_big', Buffer.alloc(MAX_LOGO_BYTES + 2)],
])('a picture that breaks %s is refused', async (type, bytes) => {
  const reseller = await world.person({ level: 'reseller' });
  const image = bytes.toString('base64');
  const refused = reseller.api(brands.setLogo, { body: { scheme: 'dark', image } });
  expect(await refusal(refused)).toBe(type);
});

test('a domain is that of one brand, and never that of the installation', async () => {
  const { manager } = await branded('https://Única.example/');
  const other = await resellerOf(manager);
  const set = (domain: string) =>
    refusal(manager.api(brands.setDomain, { body: { OwnerId: other.id, domain } }));
  for (const domain of ['única.example', 'beacon.example'])
    expect(await set(domain)).toBe('domain_taken');
  expect(await set('10.0.0.1')).toBe('domain');
  expect(await set('unica.example')).toBe('accepted');
});

test('a domain is named by a manager of the reseller alone', async () => {
  const { manager, reseller } = await branded('mine.example');
  const body = { OwnerId: reseller.id, domain: 'other.example' };
  const stranger = await world.person({ level: 'manager' });
  expect(await refusal(reseller.api(brands.setDomain, { body }))).toBe('forbidden');
  expect(await refusal(stranger.api(brands.setDomain, { body }))).toBe('not_found');
  expect((await manager.api(brands.get, { query: { OwnerId: reseller.id } })).domain).toBe(
    'mine.example',
  );
});

test('a reseller reaches no brand but its own; an account that is none has no brand', async () => {
  const { manager, reseller } = await branded('alone.example');
  const sibling = await resellerOf(manager);
  const below = await world.person({ level: 'reseller', resellerId: sibling.id });
  const customer = await world.person({ resellerId: sibling.id, managerId: manager.id });
  for (const { id } of [reseller, below, customer]) {
    const query = { OwnerId: id };
    const body = { ...NO_BRAND, OwnerId: id, title: 'Mine' };
    expect(await refusal(sibling.api(brands.get, { query }))).toBe('not_found');
    expect(await refusal(sibling.api(brands.update, { body }))).toBe('not_found');
  }
  const body = { ...NO_BRAND, OwnerId: customer.id };
  expect(await refusal(manager.api(brands.update, { body }))).toBe('unknown');
  expect(await refusal(manager.api(brands.get, {}))).toBe('unknown');
  expect(await refusal(customer.api(brands.get, {}))).toBe('forbidden');
});

test('what was changed is in the audit log of the reseller', async () => {
  const { manager, reseller } = await branded('logged.example');
  const { data } = await reseller.api(contract.audit.find, {
    query: { filter: { OwnerId: reseller.id } },
  });
  const changes = data.filter(({ action }) => action.startsWith('brands.'));
  expect(changes.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
    { action: 'brands.setDomain', before: { domain: null }, after: { domain: 'logged.example' } },
    {
      action: 'brands.update',
      before: { title: null, primary: null, email: null, locale: null },
      after: { title: 'Tea <SMS>', primary: '#0f766e', email: 'help@tea.example', locale: 'it' },
    },
  ]);
  expect(changes[0]!.Actor?.id).toBe(manager.id);
});
