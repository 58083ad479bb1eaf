import { links } from '@heliograph/contract';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExternalService } from '../../../test/external-service.ts';
import { stopTime } from '../../../test/stopped-time.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { Clicks } from './clicks.ts';

let world: World;
let customer: Person;

beforeAll(async () => {
  world = await World.start({ PUBLIC_URL: 'https://app.example/', TRUST_PROXY: '1' });
  customer = await world.person();
});
afterAll(() => world.stop());

/** Of a person: what `fetch` says of itself is a program. */
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';

const make = (url: string, who = customer) => who.api(links.create, { body: { url } });
/** At this process, whatever address the link has. */
const follow = (url: string, init: RequestInit = {}) =>
  fetch(world.base + new URL(url).pathname, { redirect: 'manual', ...init });
const clicksOf = async (id: string) => (await customer.api(links.get, { params: { id } })).clicks;

test('a link is created, followed, counted and removed', async () => {
  const link = await make('https://Tea.shop/Sale?utm_source=vk#top');
  expect(link).toMatchObject({
    url: 'https://tea.shop/Sale?utm_source=vk#top',
    clicks: 0,
    clickedAt: null,
    OwnerId: customer.id,
  });
  expect(link.shortUrl).toMatch(/^https:\/\/app\.example\/s\/[A-Za-z0-9]{9}$/);
  const asPhone = { headers: { accept: 'text/html', 'user-agent': PHONE } };
  const answer = await follow(link.shortUrl, asPhone);
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe(link.url);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  // Previews, scanners and pages loaded in advance are led there, too, and are not clicks.
  for (const init of [
    { method: 'HEAD' },
    { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } },
    { headers: { 'user-agent': 'TelegramBot (like TwitterBot)' } },
    { headers: { 'user-agent': PHONE, 'sec-purpose': 'prefetch' } },
    { headers: { 'user-agent': 'node' } },
  ])
    expect((await follow(link.shortUrl, init)).status).toBe(302);
  await follow(link.shortUrl, asPhone);
  await until(async () => (await clicksOf(link.id)) === 2, 'both visits are counted');
  const page = await customer.api(links.find, { query: { search: 'tea.shop' } });
  expect(page.data[0]).toMatchObject({
    id: link.id,
    clicks: 2,
    previews: 5,
    clickedAt: expect.any(String),
  });

  await customer.api(links.remove, { params: { id: link.id } });
  await until(async () => (await follow(link.shortUrl)).status === 404, 'it leads nowhere');
});

test('visits of many links at once are one statement, and none is lost with the database away', async () => {
  const made = await Promise.all(
    Array.from({ length: 5 }, (_, i) => make(`https://tea.shop/${i}`)),
  );
  const clicks = world.api.get(Clicks, { strict: false });
  await clicks.flush();
  await world.db.query('alter table links rename to links_away');
  for (const { id } of made) for (let n = 0; n < 20; n++) clicks.add(id);
  await clicks.flush();
  await world.db.query('alter table links_away rename to links');
  clicks.add(made[0]!.id);
  await clicks.flush();
  expect(await Promise.all(made.map(({ id }) => clicksOf(id)))).toEqual([21, 20, 20, 20, 20]);
});

test.each(['/s/abcdefghi', '/s/', '/s/a.b', '/s/x/y', '/s/%00'])(
  'nothing is at %s, which a page says in the language of the reader',
  async (path) => {
    const answer = await follow(world.base + path, { headers: { 'accept-language': 'de-AT' } });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('<html lang="de">');
  },
);

test('a network that requests many unknown links is blocked for a while', async () => {
  const { shortUrl } = await make('https://tea.shop/');
  const code = shortUrl.split('/').at(-1)!;
  stopTime();
  const { base } = await world.startApi({ RATE_SCALE: 0.05 });
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const at = (name: string) => fetch(`${base}/s/${name}`, { redirect: 'manual', headers });
  const statuses: number[] = [];
  for (let n = 0; n < 7; n++) statuses.push((await at(`none${n}`)).status);
  expect(statuses).toEqual([...Array<number>(6).fill(404), 429]);
  const refused = await at(code);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
});

test('the host of a link is configured, not taken from the request', async () => {
  const headers = {
    authorization: customer.token,
    'content-type': 'application/json',
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    forwarded: 'host=evil.example',
  };
  const { port } = new URL(world.base);
  const ask = (method: string, path: string, body = '') =>
    new Promise<string>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
      });
      asked.on('error', reject).end(body);
    });
  const created = await ask('POST', '/api/links', '{"url":"https://tea.shop/"}');
  const { id, shortUrl } = JSON.parse(created) as { id: string; shortUrl: string };
  expect(shortUrl).toMatch(/^https:\/\/app\.example\/s\//);
  for (const path of ['/api/links', `/api/links/${id}`, '/s/nothing', '/', '/api/openapi.json'])
    expect(await ask('GET', path)).not.toMatch(/evil|gopher/);
});

test('codes are independent of each other', async () => {
  const codes = await Promise.all(Array.from({ length: 10 }, () => make('https://tea.shop/')));
  expect(new Set(codes.map(({ shortUrl }) => shortUrl)).size).toBe(10);
});

test.each([
  'javascript:alert(1)',
  'ftp://tea.shop/a',
  'tea.shop/sale',
  'https://localhost/a',
  'https://bank.example@evil.example/',
  'https:///bank.example@evil.example/',
  'https://',
  `https://tea.shop/${'a'.repeat(2048)}`,
])('%s is no target', async (url) => {
  await expect(make(url)).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field: 'url' })] },
  });
});

test('targets in other scripts are redirected to as ASCII', async () => {
  const { shortUrl } = await make('https://чай.рф/акция');
  expect((await follow(shortUrl)).headers.get('location')).toBe(
    'https://xn--80as4b.xn--p1ai/%D0%B0%D0%BA%D1%86%D0%B8%D1%8F',
  );
});

test('an account makes sixty a minute', async () => {
  const busy = await world.person();
  const asked = await Promise.allSettled(
    Array.from({ length: 61 }, () => make('https://tea.shop/', busy)),
  );
  const refused = asked.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(1);
  expect(refused[0]!.reason).toMatchObject({
    status: 429,
    body: { code: 'rate_limited', payload: { expires_at: expect.any(String) } },
  });
  await expect(make('https://tea.shop/')).resolves.toBeDefined();
});

test('links are shown under the configured address', async () => {
  const other = await World.start({ LINKS_URL: 'https://go.example/' });
  try {
    const person = await other.person();
    expect((await make('https://tea.shop/', person)).shortUrl).toMatch(
      /^https:\/\/go\.example\/\w{9}$/,
    );
  } finally {
    await other.stop();
  }
});

test('a configured external shortener is used', async () => {
  const shortener = new ExternalService<null>();
  const other = await World.start({ LINKS_SHORTENER_URL: `${await shortener.start()}?key=k` });
  try {
    const person = await other.person();
    shortener.reply = [200, ' https://sho.rt/x\n'];
    const link = await make('https://tea.shop/?a=1&b=2', person);
    expect(link).toMatchObject({ shortUrl: 'https://sho.rt/x', clicks: null });
    expect(shortener.received.url).toBe('/?key=k&url=https%3A%2F%2Ftea.shop%2F%3Fa%3D1%26b%3D2');
    const wrong: (typeof shortener.reply)[] = [
      [200, 'no link'],
      [200, `https://sho.rt/${'a'.repeat(5000)}`],
      [302, 'https://sho.rt/x', { location: 'https://elsewhere.example/' }],
      [500, 'https://sho.rt/x'],
    ];
    for (const answer of wrong) {
      shortener.reply = answer;
      await expect(make('https://tea.shop/', person)).rejects.toMatchObject({
        status: 503,
        body: { code: 'unavailable' },
      });
    }
    expect((await person.api(links.find, {})).total).toBe(1);
  } finally {
    await other.stop();
    shortener.stop();
  }
});
