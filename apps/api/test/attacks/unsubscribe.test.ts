import { sendings, suppressions, type SendingReceipt } from '@heliograph/contract';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve } from '../factories.ts';
import { World, type Person } from '../world.ts';

let world: World;
let owner: Person;
let other: Person;
let link: string;
const PHONE = '+79161110001';

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  [owner, other] = [await world.person(), await world.person()];
  link = await linkOf(owner);
});

/** The path of the link of a new message to the same phone. */
async function linkOf(person: Person): Promise<string> {
  await approve(world, person.id);
  const payload = { sender: 'MIRTEA', text: 'Sale! {unsubscribe}' };
  const { id } = (await person.api(sendings.create, {
    body: { type: 'sms', payload, recipient: PHONE },
  })) as SendingReceipt;
  const { payload: sent } = await person.api(sendings.get, { params: { id } });
  return /\/u\/\S+/.exec(sent.text!)![0];
}
const call = (path: string, method = 'POST', init: RequestInit = {}, base = world.base) =>
  fetch(base + path, { method, redirect: 'manual', ...init });
const listed = async (person = owner) => (await person.api(suppressions.find)).data;
const token = () => link.slice('/u/'.length);
const flipped = (at: number) => {
  const given = token();
  return `/u/${given.slice(0, at)}${given[at] === 'A' ? 'B' : 'A'}${given.slice(at + 1)}`;
};

const SCANNERS: RequestInit[] = [
  {},
  { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Google-Safety)' } },
  { headers: { 'x-http-method-override': 'POST', 'list-unsubscribe': 'One-Click' } },
  { headers: { purpose: 'prefetch', 'sec-purpose': 'prefetch;prerender' } },
];
test('programs that open a link unsubscribe nobody', async () => {
  for (const init of SCANNERS)
    for (const path of [link, `${link}/`, `${link}?List-Unsubscribe=One-Click`, `${link}/return`])
      for (const method of ['GET', 'HEAD'])
        expect((await call(path, method, init)).status).toBe(200);
  expect(await listed()).toEqual([]);
});

test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
  '%s changes nothing',
  async (method) => {
    const answer = await call(link, method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect(await listed()).toEqual([]);
  },
);

const FORGED: [name: string, path: () => string][] = [
  ['another id', () => flipped(3)],
  ['another signature', () => flipped(30)],
  ['another last character', () => flipped(33)],
  ['a short token', () => link.slice(0, -1)],
  ['a long token', () => `${link}A`],
  ['a token of 10 kB', () => `/u/${'A'.repeat(10_000)}`],
  ['10 kB after it', () => `${link}/${'A'.repeat(10_000)}`],
  ['percent signs', () => `/u/${'%41'.repeat(34)}`],
  ['a NUL', () => `${link}%00`],
  ['a broken escape', () => `${link}%zz`],
  ['an encoded slash', () => `${link}%2freturn`],
  ['two slashes', () => link.replace('/u/', '/u//')],
  ['a path upwards', () => `/u/${token()}/../../api/users`],
  ['quotes', () => `/u/'or'1'='1'--${'A'.repeat(22)}`],
  ['another case', () => `/u/${token().toLowerCase()}`],
];
test.each(FORGED)('%s unsubscribes nobody', async (_, path) => {
  for (const method of ['GET', 'POST']) {
    const answer = await call(path(), method);
    expect([400, 401, 404, 405]).toContain(answer.status);
    expect(await answer.text()).not.toContain(PHONE.slice(1));
  }
  expect(await listed()).toEqual([]);
});

test('an unknown link does not tell whether there was a person', async () => {
  const erased = await call(link, 'GET');
  expect(erased.status).toBe(200);
  await world.db.query(`update sendings set phone = 'erased' where owner_id = $1`, [owner.id]);
  const answers = await Promise.all([call(link, 'GET'), call(flipped(30), 'GET')]);
  const [gone, forged] = await Promise.all(
    answers.map(async (answer) => [answer.status, await answer.text()]),
  );
  expect(gone).toEqual([404, 'Unknown link']);
  expect(forged).toEqual(gone);
  expect((await call(link)).status).toBe(404);
});

test('a page is the same before and after, without the address, and is not kept', async () => {
  const ask = async () => {
    const answer = await call(link, 'GET');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(
        /script-src 'self';.*frame-ancestors 'none';.*form-action 'self'/,
      ),
    });
    expect(answer.headers.get('set-cookie')).toBeNull();
    return answer.text();
  };
  const before = await ask();
  await call(link);
  expect(await ask()).toBe(before);
  expect(before).not.toContain(PHONE.slice(1));
  expect(before).not.toContain(owner.username);
});

test('the link of one account is no link of another', async () => {
  const foreign = await linkOf(other);
  expect((await call(link)).status).toBe(200);
  expect(await listed(other)).toEqual([]);
  expect(await listed()).toHaveLength(1);
  // Neither takes back what the other account's link did.
  expect((await call(`${foreign}/return`)).status).toBe(200);
  expect(await listed()).toHaveLength(1);
});

test('the return takes back nothing that the account entered', async () => {
  await owner.api(suppressions.create, { body: { address: PHONE } });
  expect((await call(`${link}/return`)).status).toBe(200);
  expect(await listed()).toMatchObject([{ address: PHONE, reason: 'manual' }]);
});

test('fifty calls at once unsubscribe once, and a later one changes nothing', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(link)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const [first, ...others] = await listed();
  expect(others).toEqual([]);
  expect((await call(link)).status).toBe(200);
  expect(await listed()).toEqual([first]);
  const mixed = Array.from({ length: 50 }, (_, i) => call(i % 2 ? link : `${link}/return`));
  const statuses = (await Promise.all(mixed)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await listed()).length).toBeLessThanOrEqual(1);
});

test('HTML in the name of a sender is text', async () => {
  const name = `"><script>alert(1)</script>&'{sender}$&`;
  await world.db.query(`update sendings set sender = $2 where owner_id = $1`, [owner.id, name]);
  for (const method of ['GET', 'POST']) {
    const html = await (await call(link, method)).text();
    expect(html).not.toContain('<script');
    expect(html).toContain(
      `&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;{sender}$&amp;`,
    );
  }
});

test.each([
  ['nothing', {}],
  ['another form', { body: new URLSearchParams({ token: 'x', address: '+79990000000' }) }],
  ['broken JSON', { body: '{"a":', headers: { 'content-type': 'application/json' } }],
  ['a megabyte', { body: 'a'.repeat(1_000_000) }],
  [
    'a choice of a megabyte',
    { body: new URLSearchParams({ choice: 'types', shown: 'sms '.repeat(250_000), sms: 'yes' }) },
  ],
  ['another choice', { body: new URLSearchParams({ choice: 'none', shown: 'sms', sms: 'yes' }) }],
  ['a choice as a list', { body: new URLSearchParams('choice[]=types&shown=sms&sms=yes') }],
  [
    'a form with parts',
    {
      body: (() => {
        const form = new FormData();
        form.set('List-Unsubscribe', 'One-Click');
        return form;
      })(),
    },
  ],
  [
    'a packed form',
    {
      body: 'choice=types&shown=sms&sms=yes',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-encoding': 'gzip',
      },
    },
  ],
  [
    'broken escapes',
    {
      body: 'choice=types&shown=sms&sms=%ff',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  ],
  [
    'a foreign page',
    { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
  ],
])('the body does not matter: %s', async (_, init: RequestInit) => {
  expect((await call(link, 'POST', init)).status).toBe(200);
  expect(await listed()).toMatchObject([{ address: PHONE }]);
});

test('a form that is cut off changes nothing', async () => {
  const { hostname, port } = new URL(world.base);
  const socket = connect(Number(port), hostname);
  socket.end(
    `POST ${link} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\nchoice=types`,
  );
  socket.resume();
  await once(socket, 'close');
  expect(await listed()).toEqual([]);
});

test('guesses and changes of one network are limited', async () => {
  const { base } = await world.startApi({ RATE_SCALE: 0.05 });
  // More than two windows of time allow.
  const posts = Array.from({ length: 1300 }, (_, i) =>
    call(i % 2 ? link : `${link}/return`, 'POST', {}, base),
  );
  const changes = await Promise.all(posts);
  expect(new Set(changes.map(({ status }) => status))).toEqual(new Set([200, 429]));
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () => call(flipped(30), 'GET', {}, base)),
  );
  const refused = guesses.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});
