import {
  automations,
  contactFields,
  contactLists,
  contacts,
  persons,
  sendings,
  signupForms,
  suppressions,
} from '@heliograph/contract';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, problems, setCarrier } from '../../../test/factories.ts';
import { stopTime } from '../../../test/stopped-time.ts';
import { type Person, World } from '../../../test/world.ts';
import { PersonsService } from '../sendings/persons/persons.service.ts';
import { SealedTexts } from '../sendings/sealed-texts.service.ts';
import { SignupsService } from './signups.service.ts';

let world: World;
let owner: Person;
let ListId: string;
let visitors = 0;

beforeAll(async () => {
  world = await World.start({ TRUST_PROXY: '1' });
  await setCarrier(world, {});
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  ListId = (await owner.api(contactLists.create, { body: { title: 'Tea club', type: 'regular' } }))
    .id;
});

const CONSENT = 'I agree to get news. https://tea.example/privacy?a=1&b=2';
const BASE = {
  title: 'Tea club',
  type: 'email' as const,
  sender: 'tea@example.com',
  text: 'Welcome {friend}! Confirm: {link}',
  consent: CONSENT,
};
const form = (body: object = {}) =>
  owner.api(signupForms.create, { body: { ...BASE, ListId, ...body } });
const smsForm = (body: object = {}) =>
  form({ type: 'sms', sender: 'MIRTEA', text: 'Confirm: {link}', ...body });
const shown = (id: string) => owner.api(signupForms.get, { params: { id } });

/** Each visitor has an address of its own. */
const from = () => {
  const n = visitors++;
  return `203.0.${n >> 8}.${n & 255}`;
};
interface Answer {
  status: number;
  html: string;
  headers: Headers;
}
async function page(path: string, init: RequestInit = {}, ip = from()): Promise<Answer> {
  const headers = { 'accept-language': 'en', 'x-forwarded-for': ip, ...init.headers };
  const answer = await fetch(world.base + path, { redirect: 'manual', ...init, headers });
  return { status: answer.status, html: await answer.text(), headers: answer.headers };
}
const ask = (
  id: string,
  typed: Record<string, string>,
  {
    ip,
    headers,
    query = '',
  }: { ip?: string; headers?: Record<string, string>; query?: string } = {},
) => {
  const body = new URLSearchParams({ consent: 'yes', ...typed });
  return page(`/f/${id}${query}`, { method: 'POST', body, headers }, ip);
};
/** The texts of all messages to an address as the carrier gets them, the first one first. */
async function sentTo(address: string): Promise<string[]> {
  const rows = await world.db.query<{ id: string }>(
    `select id from sendings where owner_id = $1 and phone = $2 order by id`,
    [owner.id, address],
  );
  const ids = rows.map(({ id }) => id);
  const texts = await world.api.get(SealedTexts, { strict: false }).textsOf(ids);
  return ids.map((id) => texts.get(id)!);
}
const linkIn = (text: string) => new URL(/https?:\/\/\S+\/f\/c\/\S+/.exec(text)![0]).pathname;
const linkTo = async (address: string) => linkIn((await sentTo(address)).at(-1)!);
const confirm = (link: string, ip?: string) => page(link, { method: 'POST' }, ip);
const inList = async () => (await owner.api(contacts.find, { query: { filter: { ListId } } })).data;
const countOf = async () => (await owner.api(contactLists.get, { params: { id: ListId } })).count;

test('by e-mail a person is entered after the confirmation, with fields, tags and consent', async () => {
  await owner.api(contactFields.update, {
    body: {
      fields: [
        { field: 'custom01', title: 'Favourite <tea>', type: 'choice', values: ['Green', 'Black'] },
        { field: 'custom02', title: 'Born', type: 'date' },
      ],
    },
  });
  const fields = [
    { field: 'firstName', isRequired: true },
    { field: 'custom01', isRequired: false },
    { field: 'custom02', isRequired: false },
    // It has no name, so it is not asked for.
    { field: 'custom07', isRequired: true },
  ];
  const { id, url } = await form({
    fields,
    tags: ['website'],
    returnUrl: 'https://tea.example/ok',
  });
  expect(new URL(url).pathname).toBe(`/f/${id}`);

  const first = await page(`/f/${id}`);
  expect(first.status).toBe(200);
  expect(first.html).toContain('<h1>Tea club</h1>');
  expect(first.html).toContain('Favourite &lt;tea&gt;');
  expect(first.html).toContain('href="https://tea.example/privacy?a=1&amp;b=2"');
  expect(first.html).not.toContain('custom07');

  const typed = {
    address: ' Anna@Example.com ',
    firstName: 'Anna',
    custom01: 'green',
    custom02: '1990-12-31',
  };
  const sent = await ask(id, typed);
  expect(sent.status).toBe(200);
  expect(sent.html).toContain('<bdi>anna@example.com</bdi>');
  expect(await inList()).toEqual([]);
  const [text] = await sentTo('anna@example.com');
  expect(text).toContain('Welcome {friend}! Confirm: http');
  const { data } = await owner.api(sendings.find);
  expect(data[0]).toMatchObject({
    type: 'email',
    payload: { subject: 'Tea club', text: expect.stringMatching(/\/f\/c\/\*{22}$/) },
  });

  const link = linkIn(text!);
  // Programs that check links open them.
  for (const method of ['GET', 'HEAD']) expect((await page(link, { method })).status).toBe(200);
  expect((await page(link)).html).toContain('I agree to get news.');
  expect(await inList()).toEqual([]);
  const done = await confirm(link, '203.0.113.9');
  expect(done.status).toBe(200);
  expect(done.html).toContain('href="https://tea.example/ok"');
  const [contact] = await inList();
  expect(contact).toMatchObject({
    email: 'anna@example.com',
    phone: null,
    firstName: 'Anna',
    custom01: 'Green',
    custom02: '1990-12-31',
    tags: ['website'],
  });
  expect(await countOf()).toBe(1);
  const consents = await owner.api(signupForms.consents, { params: { id: contact!.id } });
  expect(consents.data).toEqual([
    {
      FormId: id,
      title: 'Tea club',
      address: 'anna@example.com',
      text: CONSENT,
      hash: createHash('sha256').update(CONSENT).digest('hex'),
      ip: '203.0.113.9',
      confirmedAt: expect.any(String),
    },
  ]);
  expect(await shown(id)).toMatchObject({ asked: 1, confirmed: 1 });

  // A repeat changes nothing.
  await owner.api(contacts.remove, { params: { id: contact!.id } });
  expect((await confirm(link)).status).toBe(200);
  expect(await inList()).toEqual([]);
  expect(await shown(id)).toMatchObject({ asked: 1, confirmed: 1 });
  expect(await problems(world)).toEqual([]);
});

test('by SMS a person is entered, the account pays, and an automation begins', async () => {
  const { id } = await smsForm();
  const { id: automation } = await owner.api(automations.create, {
    body: {
      title: 'Welcome',
      trigger: { when: 'listed', ListId },
      timeZone: 'UTC',
      steps: [{ do: 'wait', amount: 1, unit: 'hours' }],
      isActive: true,
    },
  });
  const before = await balance(world, owner.id);
  expect((await ask(id, { address: '8 916 111-20-01' })).status).toBe(200);
  expect(await balance(world, owner.id)).toBeLessThan(before);
  expect((await confirm(await linkTo('+79161112001'))).status).toBe(200);
  expect(await inList()).toMatchObject([{ phone: '+79161112001', email: null }]);
  const [row] = await world.db.query<{ n: number }>(
    `select count(*)::int as n from automation_runs where automation_id = $1`,
    [automation],
  );
  expect(row!.n).toBe(1);
  expect(await problems(world)).toEqual([]);
});

test('who is a member already gets the same answer, and is completed, not entered twice', async () => {
  const email = 'member@example.com';
  const { id: known } = await owner.api(contacts.create, {
    body: { ListId, email, firstName: 'Old', lastName: 'Member', tags: ['vip'] },
  });
  const { id } = await form({
    fields: [
      { field: 'firstName', isRequired: false },
      { field: 'lastName', isRequired: false },
    ],
    tags: ['website', 'VIP'],
  });
  const member = await ask(id, { address: email, firstName: 'New' });
  const stranger = await ask(id, { address: 'nobody@example.com', firstName: 'New' });
  expect(member.html.replace(email, 'x')).toBe(stranger.html.replace('nobody@example.com', 'x'));
  await confirm(await linkTo(email));
  expect(await inList()).toMatchObject([
    { id: known, firstName: 'New', lastName: 'Member', tags: ['vip', 'website'] },
  ]);
  expect(await countOf()).toBe(1);
});

test('an opt-out is lifted by the confirmation, not by the form, and one of the account stays', async () => {
  const { id } = await form();
  const [left, barred] = ['left@example.com', 'barred@example.com'];
  await world.db.query(
    `insert into suppressions (owner_id, address, type, reason) values ($1, $2, 0, 'link'), ($1, $3, 0, 'manual')`,
    [owner.id, left, barred],
  );
  const listed = async () =>
    (await owner.api(suppressions.find)).data.map(({ address }) => address).sort();
  await ask(id, { address: left });
  await ask(id, { address: barred });
  expect(await listed()).toEqual([barred, left]);
  await confirm(await linkTo(left));
  await confirm(await linkTo(barred));
  expect(await listed()).toEqual([barred]);
});

test('who is on a blacklist gets no message and the same answer', async () => {
  const { id } = await form();
  const black = await owner.api(contactLists.create, {
    body: { title: 'Never', type: 'blacklist' },
  });
  const email = 'never@example.com';
  await owner.api(contacts.create, { body: { ListId: black.id, email } });
  const [never, other] = [
    await ask(id, { address: email }),
    await ask(id, { address: 'a@example.com' }),
  ];
  expect([never.status, never.html.replace(email, 'x')]).toEqual([
    200,
    other.html.replace('a@example.com', 'x'),
  ]);
  expect(await sentTo(email)).toEqual([]);
});

test('a link that is wrong, expired or of an erased person confirms nothing', async () => {
  const { id } = await form();
  const email = 'late@example.com';
  await ask(id, { address: email });
  const link = await linkTo(email);
  const other = link.endsWith('A') ? 'B' : 'A';
  for (const path of [`${link.slice(0, -2)}${other}A`, `${link}AA`, '/f/c/', `${link}/x`])
    expect((await confirm(path)).status).toBe(404);

  await world.db.query(`update signups set expires_at = $2 where owner_id = $1`, [
    owner.id,
    world.clock.now(),
  ]);
  expect((await page(link)).status).toBe(404);
  expect((await confirm(link)).status).toBe(404);
  const [row] = await world.db.query<{ n: number }>(
    `select extract(epoch from expires_at - created_at)::int as n from signups where owner_id = $1`,
    [owner.id],
  );
  expect(row!.n).toBeLessThan(48 * 3600);
  await world.api.get(SignupsService, { strict: false }).deleteEnded();
  expect(await world.db.query(`select 1 from signups where owner_id = $1`, [owner.id])).toEqual([]);

  const gone = 'gone@example.com';
  await ask(id, { address: gone });
  const second = await linkTo(gone);
  await confirm(second);
  await owner.api(persons.erase, { body: { address: gone } });
  const [erasure] = await world.db.query<{ id: string }>(
    `select id from erasures where owner_id = $1`,
    [owner.id],
  );
  await world.api.get(PersonsService, { strict: false }).run({ erasureId: erasure!.id });
  expect((await confirm(second)).status).toBe(404);
  for (const table of ['signups', 'consents'])
    expect(
      await world.db.query(`select 1 from ${table} where owner_id = $1 and address = $2`, [
        owner.id,
        gone,
      ]),
    ).toEqual([]);
  expect(await inList()).toEqual([]);
});

test('a person gets few messages, also if asked for at the same time', async () => {
  stopTime();
  const { id } = await form();
  const email = 'again@example.com';
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(id, { address: email })));
  expect(new Set(answers.map(({ status, html }) => `${status} ${html}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(200);
  expect(await sentTo(email)).toHaveLength(1);
  expect(await shown(id)).toMatchObject({ asked: 1 });
  // Later there is another one, but not more than five within a day.
  for (let n = 0; n < 6; n++) {
    await world.db.query(
      `update signups set created_at = created_at - interval '10 minutes' where owner_id = $1`,
      [owner.id],
    );
    await world.db.query(`delete from otp_counters`);
    expect((await ask(id, { address: email })).status).toBe(200);
  }
  expect(await sentTo(email)).toHaveLength(5);
  // What one of the links confirms ends the others.
  const [one, two] = (await sentTo(email)).map(linkIn);
  expect((await confirm(two!)).status).toBe(200);
  expect((await confirm(one!)).status).toBe(404);
});

test('two confirmations at the same time enter a person once', async () => {
  const { id } = await form();
  await ask(id, { address: 'twice@example.com' });
  const link = await linkTo('twice@example.com');
  const answers = await Promise.all(Array.from({ length: 8 }, () => confirm(link)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await inList()).toHaveLength(1);
  expect(await countOf()).toBe(1);
  expect(await shown(id)).toMatchObject({ confirmed: 1 });
});

test('a network has some attempts without a captcha', async () => {
  stopTime();
  const { id } = await form();
  const ip = '198.51.100.7';
  const statuses: number[] = [];
  for (let n = 0; n <= world.config.CAPTCHA_AFTER; n++)
    statuses.push((await ask(id, { address: `n${n}@example.com` }, { ip })).status);
  expect(statuses).toEqual([...statuses.slice(0, -1).map(() => 200), 403]);
  const challenged = await ask(id, { address: 'robot@example.com', captcha: 'x' }, { ip });
  expect(challenged.status).toBe(403);
  expect(challenged.html).toContain('name="captcha"');
  expect(challenged.html).toContain('value="robot@example.com"');
  expect(await sentTo('robot@example.com')).toEqual([]);
  // Another network is not concerned.
  expect((await ask(id, { address: 'human@example.com' })).status).toBe(200);
});

test('the limits of codes hold for messages to numbers', async () => {
  const { base } = await world.startApi({ OTP_WIDGET_PER_MINUTE: 1 });
  const { id } = await smsForm();
  const post = (address: string) =>
    fetch(`${base}/f/${id}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': from() },
      body: new URLSearchParams({ consent: 'yes', address }),
    });
  stopTime();
  expect((await post('+79161113001')).status).toBe(200);
  const refused = await post('+79161113002');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await sentTo('+79161113002')).toEqual([]);
});

test('what is wrong is said beside its field, and what was typed stays', async () => {
  await owner.api(contactFields.update, {
    body: { fields: [{ field: 'custom01', title: 'Cups', type: 'number' }] },
  });
  const fields = [
    { field: 'firstName', isRequired: true },
    { field: 'custom01', isRequired: false },
  ];
  const { id } = await form({ fields });
  const wrong = await page(`/f/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ address: 'no"body', custom01: 'many' }),
  });
  expect(wrong.status).toBe(422);
  for (const name of ['address', 'firstName', 'custom01', 'consent'])
    expect(wrong.html).toContain(`id="${name}-fault"`);
  expect(wrong.html).toContain('value="no&quot;body"');
  const russian = await ask(id, { address: 'nobody' }, { query: '?lang=ru' });
  expect(russian.html).toContain('<html lang="ru">');
  expect(russian.html).toContain(`action="/f/${id}?lang=ru"`);
  const { id: sms } = await smsForm();
  expect((await ask(sms, { address: '+4915112345678' })).status).toBe(422);
  expect(await sentTo('+4915112345678')).toEqual([]);
  const long = await page(`/f/${id}`, {
    method: 'POST',
    body: new URLSearchParams({ address: 'a'.repeat(100_000) }),
  });
  expect(long.status).toBe(413);
  expect(long.html).toMatch(/must not exceed/);
});

test('a form that is off, without a list, or of a suspended account is unknown', async () => {
  const unknown = async (id: string) => {
    for (const answer of [await page(`/f/${id}`), await ask(id, { address: 'a@example.com' })])
      expect([answer.status, answer.html]).toEqual([404, 'Unknown form']);
  };
  const { id } = await form();
  await ask(id, { address: 'early@example.com' });
  const link = await linkTo('early@example.com');
  await owner.api(signupForms.update, { params: { id }, body: { isActive: false } });
  await unknown(id);
  await unknown('01930000-0000-7000-8000-000000000000');
  await unknown('x');
  // The link was sent before.
  expect((await page(link)).status).toBe(200);

  const { id: suspended } = await form();
  await world.db.query(`update users set is_active = false where id = $1`, [owner.id]);
  await unknown(suspended);
  expect((await confirm(link)).status).toBe(404);
  await world.db.query(`update users set is_active = true where id = $1`, [owner.id]);

  await owner.api(contactLists.remove, { params: { id: ListId } });
  expect(await shown(suspended)).toMatchObject({ ListId: null });
  await unknown(suspended);
  expect((await confirm(link)).status).toBe(404);
});

test('a form belongs to sites that the account has named', async () => {
  const { id } = await form({ origins: ['https://Tea.example'] });
  const { headers } = await page(`/f/${id}`);
  expect(headers.get('content-security-policy')).toContain('frame-ancestors https://tea.example');
  expect(headers.get('x-frame-options')).toBeNull();
  const own = await page(`/f/${(await form()).id}`);
  expect(own.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(own.headers.get('x-frame-options')).toBe('DENY');
  const by = (origin: string) =>
    ask(id, { address: `${visitors}@example.com` }, { headers: { origin } });
  expect((await by('https://tea.example')).status).toBe(200);
  expect((await by(world.base)).status).toBe(200);
  for (const origin of ['https://evil.example', 'null', 'http://tea.example'])
    expect((await by(origin)).status).toBe(403);
});

test('without money nothing is sent, and the page says so', async () => {
  const poor = await world.person({ balance: 0 });
  await approve(world, poor.id);
  const list = await poor.api(contactLists.create, { body: { title: 'Tea', type: 'regular' } });
  const own = await poor.api(signupForms.create, {
    body: { ...BASE, ListId: list.id, type: 'sms', sender: 'MIRTEA' },
  });
  const answer = await ask(own.id, { address: '+79161114001' });
  expect(answer.status).toBe(503);
  expect(answer.html).toContain('role="alert"');
  expect(await poor.api(signupForms.get, { params: { id: own.id } })).toMatchObject({ asked: 0 });
  expect(await world.db.query(`select 1 from signups where owner_id = $1`, [poor.id])).toEqual([]);
});

test('a form has a list of its account, a link in its text and changes as a whole', async () => {
  const stranger = await world.person();
  const foreign = await stranger.api(contactLists.create, {
    body: { title: 'Theirs', type: 'regular' },
  });
  const black = await owner.api(contactLists.create, {
    body: { title: 'Never', type: 'blacklist' },
  });
  for (const body of [
    { ListId: black.id },
    { text: 'No link' },
    { text: '{link} {link}' },
    { returnUrl: 'http://tea.example' },
    { returnUrl: 'javascript:alert(1)' },
    { origins: ["https://tea.example; script-src 'unsafe-inline'"] },
    { origins: ['https://tea.example/path'] },
    { consent: ' ' },
    {
      fields: [
        { field: 'firstName', isRequired: true },
        { field: 'firstName', isRequired: false },
      ],
    },
  ])
    await expect(form(body)).rejects.toMatchObject({ status: 422 });
  await expect(form({ ListId: foreign.id })).rejects.toMatchObject({ status: 404 });
  const field = (name: string) => ({ field: name, isRequired: true });
  const { id } = await form({ fields: [field('firstName'), field('lastName')] });
  const changed = await owner.api(signupForms.update, {
    params: { id },
    body: { fields: [field('custom01') as never], title: 'Renamed' },
  });
  expect(changed).toMatchObject({ title: 'Renamed', fields: [field('custom01')] });
  await expect(stranger.api(signupForms.get, { params: { id } })).rejects.toMatchObject({
    status: 404,
  });
  await owner.api(signupForms.remove, { params: { id } });
  await expect(shown(id)).rejects.toMatchObject({ status: 404 });
});

test('a form is put back as it was read; another type is refused', async () => {
  const { id } = await form({});
  const row = await owner.api(signupForms.get, { params: { id } });
  const put = (changes: object) =>
    owner.api(signupForms.update, { params: { id }, body: { ...(row as object), ...changes } });
  expect(await put({})).toEqual({ ...row, updatedAt: expect.any(String) });
  const type = row.type === 'sms' ? 'email' : 'sms';
  await expect(put({ type })).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field: 'type', type: 'invalid_value' })] },
  });
});
