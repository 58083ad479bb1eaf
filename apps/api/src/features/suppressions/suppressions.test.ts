import {
  contactLists,
  notifications,
  sendings,
  sendingsIncoming,
  settings,
  suppressions,
  tasks,
  type OptOutSettings,
  type SendingReceipt,
  type SendingTask,
} from '@heliograph/contract';
import { SendingType, SuppressedType } from '@heliograph/contract';
import { isSuppressible, LOCALES, SENDING_TYPES, STOP_CONFIRMATION } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod';
import { Carrier } from '../../../test/carrier.ts';
import { approve, contactList, finished, problems, setCarrier } from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { SuppressionsService } from './suppressions.service.ts';
import { SuppressionsStore } from './suppressions.store.ts';
import { typeName } from './unsubscribe-texts.ts';

let world: World;
let owner: Person;
const PHONE = '+79161110001';
const OTHER = '+79161110002';
const payload = { sender: 'MIRTEA', text: 'Tea is ready' };
const SMS = { type: 'sms' as const, payload };

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
  await setCarrier(world, {});
});

const send = async (recipient: string, body: object = SMS) =>
  (await owner.api(sendings.create, {
    body: { ...body, recipient } as never,
  })) as SendingReceipt;
const bulk = async (include: string[], body: object = SMS) =>
  (await owner.api(sendings.create, {
    body: { ...body, recipient: { include } } as never,
  })) as z.infer<typeof SendingTask>;
const reply = (text: string, from = PHONE, type: z.infer<typeof SendingType> = 'sms') =>
  owner.api(sendingsIncoming.create, {
    body: { type, from, to: 'MIRTEA', payload: { text } },
  });
const listed = async (query = {}) => (await owner.api(suppressions.find, { query })).data;
const textsTo = async (recipient: string) =>
  (await owner.api(sendings.find, { query: { filter: { recipient } } })).data.map(
    (s) => s.payload.text,
  );
const settingsWith = async (changes: Partial<OptOutSettings>) => {
  const { OwnerId: _, ...settings } = await owner.api(suppressions.settings);
  return owner.api(suppressions.configure, { body: { ...settings, ...changes } });
};

test('who replies STOP is confirmed and gets nothing more, until START', async () => {
  const first = await send(PHONE);
  await until(
    async () => !!(await owner.api(sendings.get, { params: { id: first.id } })).sentAt,
    'the submit',
  );
  await reply('Стоп!');
  const [row] = await listed();
  expect(row).toMatchObject({ address: PHONE, type: null, reason: 'stop', note: 'Стоп!' });
  expect(row!.SendingId).toBe(first.id);
  await until(async () => (await textsTo(PHONE)).includes(STOP_CONFIRMATION), 'the confirmation');

  expect(await send(PHONE)).toMatchObject({ status: 'failed', code: 'unsubscribed' });
  await expect(
    owner.api(sendings.estimate, { body: { ...SMS, recipient: PHONE } }),
  ).rejects.toMatchObject({ status: 422, body: { code: 'unsubscribed' } });
  const list = await contactList(world, owner.id, 3);
  await world.db.query(
    `update contacts set phone = $2 where id = (select id from contacts where list_id = $1 limit 1)`,
    [list, PHONE],
  );
  const recipient = { include: [list, PHONE, OTHER] };
  const estimate = await owner.api(sendings.estimate, { body: { ...SMS, recipient } });
  expect(estimate).toMatchObject({ recipients: 3, skipped: { unsubscribed: 2 } });
  const { id } = await bulk([list, PHONE, OTHER]);
  const { meta } = await finished(owner, id);
  expect(meta.counters).toMatchObject({ total: 3, skipped: { unsubscribed: 2 } });

  // A second STOP changes nothing and is not confirmed again.
  await reply('STOP');
  await reply('start');
  expect(await listed()).toEqual([]);
  expect(await send(PHONE)).toMatchObject({ status: 'pending' });
  await until(async () => (await textsTo(PHONE)).length === 5, 'the confirmation of the return');
  expect((await textsTo(PHONE)).filter((text) => text === STOP_CONFIRMATION)).toHaveLength(1);
  expect(await problems(world)).toEqual([]);
});

test('a person who stops while a bulk runs is not sent to afterwards, and is refunded', async () => {
  const { id } = await bulk([PHONE, OTHER], { ...SMS, schedule: { delay: 0, until: 4 } });
  await until(
    async () => (await owner.api(tasks.get, { params: { id } })).meta.counters.total === 2,
    'the audience',
  );
  const [held] = await world.db.query<{ phone: string }>(
    `select s.phone from sendings s join batches b on b.id = s.batch_id
      where b.task_id = $1 and b.stage = 0 order by b.due_at desc limit 1`,
    [id],
  );
  await reply('STOP', held!.phone);
  await world.db.query(
    `update batches set due_at = now() - interval '1 day' where task_id = $1 and stage = 0`,
    [id],
  );
  await finished(owner, id);
  const sent = await owner.api(sendings.find, { query: { filter: { groupId: id } } });
  const states = Object.fromEntries(sent.data.map((s) => [s.recipient, s.state.code]));
  expect(states[held!.phone]).toBe('unsubscribed');
  expect(Object.values(states)).toHaveLength(2);
  const refused = sent.data.find((s) => s.recipient === held!.phone)!;
  expect(refused.meta.billing).toMatchObject({ refunded: true });
  expect(await problems(world)).toEqual([]);
});

test('an opt-out of one channel lets the fallback through', async () => {
  await settingsWith({ covers: 'channel', isConfirmed: false });
  await reply('STOP', PHONE, 'viber');
  expect((await listed())[0]).toMatchObject({ type: 'viber' });
  expect(await send(PHONE, { ...SMS, type: 'viber' })).toMatchObject({ code: 'unsubscribed' });
  expect(await send(PHONE)).toMatchObject({ status: 'pending' });
  expect(await textsTo(PHONE)).toHaveLength(2);
});

test('a fallback is not sent to a person who has opted out of its channel', async () => {
  await setCarrier(world, { failed: 1 });
  await settingsWith({ covers: 'channel', isConfirmed: false });
  await reply('STOP', PHONE);
  const fallbacks = [{ type: 'sms', payload, options: { onStatus: ['failed'] } }];
  const { id } = await send(PHONE, { ...SMS, type: 'viber', fallbacks });
  await until(async () => {
    const { attempts } = await owner.api(sendings.get, { params: { id } });
    return attempts?.[1]?.code === 'unsubscribed';
  }, 'the refused fallback');
});

const onFailed = { options: { onStatus: ['failed'] } };
const toSms = { type: 'sms', payload, ...onFailed };
const endedAttempts = async (id: string, count: number) => {
  await until(async () => {
    const { attempts } = await owner.api(sendings.get, { params: { id } });
    return attempts?.length === count && attempts.every(({ status }) => ENDS.includes(status));
  }, 'the end of the chain');
  const { attempts } = await owner.api(sendings.get, { params: { id } });
  return attempts!.map(({ type, code }) => [type, code]);
};
const ENDS: string[] = ['delivered', 'seen', 'failed'];

test('a chain goes on by its fallback if only its first type is refused', async () => {
  await owner.api(suppressions.create, { body: { address: PHONE, type: 'viber' } });
  const chain = { type: 'viber', payload, fallbacks: [toSms] };
  const estimate = { body: { ...chain, recipient: PHONE } as never };
  expect(await owner.api(sendings.estimate, estimate)).toMatchObject({ recipients: 1 });
  const { id, status } = await send(PHONE, chain);
  expect(status).toBe('pending');
  expect(await endedAttempts(id, 2)).toEqual([
    ['viber', 'unsubscribed'],
    ['sms', null],
  ]);
  const first = await owner.api(sendings.get, { params: { id } });
  expect(first.meta.billing).toMatchObject({ refunded: true });

  // Through a second one, if that is refused as well.
  await owner.api(suppressions.create, { body: { address: PHONE, type: 'whatsapp' } });
  const longer = [{ type: 'whatsapp', payload, ...onFailed }, toSms];
  const second = await send(PHONE, { ...chain, fallbacks: longer });
  expect(await endedAttempts(second.id, 3)).toEqual([
    ['viber', 'unsubscribed'],
    ['whatsapp', 'unsubscribed'],
    ['sms', null],
  ]);
  expect(await problems(world)).toEqual([]);
});

test('a chain that no type is left of is refused', async () => {
  await owner.api(suppressions.create, { body: { address: PHONE, type: 'viber' } });
  const chain = { type: 'viber', payload };
  const isRefused = async (fallbacks: object[]) => {
    const body = { ...chain, fallbacks };
    expect(await send(PHONE, body)).toMatchObject({ status: 'failed', code: 'unsubscribed' });
    await expect(
      owner.api(sendings.estimate, { body: { ...body, recipient: PHONE } as never }),
    ).rejects.toMatchObject({ body: { code: 'unsubscribed' } });
    const recipient = { include: [PHONE, OTHER] };
    expect(
      await owner.api(sendings.estimate, { body: { ...body, recipient } as never }),
    ).toMatchObject({ skipped: { unsubscribed: 1 } });
    const { meta } = await finished(owner, (await bulk([PHONE, OTHER], body)).id);
    expect(meta.counters).toMatchObject({ total: 1, skipped: { unsubscribed: 1 } });
  };
  // A timer begins with the submission, which does not come.
  const timer = { onTimeout: { timeout: 50, except: ['delivered', 'seen'] } };
  await isRefused([{ ...toSms, options: timer }]);
  // A code is no other way to somebody who has opted out.
  await isRefused([{ type: 'flashcall', payload: { ...payload, text: '1234' }, ...onFailed }]);
  await owner.api(suppressions.create, { body: { address: PHONE, type: 'sms' } });
  await isRefused([toSms]);
  await owner.api(suppressions.create, { body: { address: PHONE } });
  await isRefused([{ type: 'whatsapp', payload, ...onFailed }]);
});

test('a bulk goes on by its fallback, also to the other address of a contact', async () => {
  const email = {
    type: 'email',
    payload: { sender: 'tea@example.com', text: 'Tea', subject: 'Tea' },
    ...onFailed,
  };
  const list = await contactList(world, owner.id, 3);
  const phones = await world.db.query<{ phone: string }>(
    `select phone from contacts where list_id = $1 order by id`,
    [list],
  );
  const [both, none, gone] = phones.map(({ phone }) => phone);
  await world.db.query(`update contacts set email = $2 where list_id = $1 and phone = $3`, [
    list,
    'both@example.com',
    both,
  ]);
  await world.db.query(`update contacts set email = $2 where list_id = $1 and phone = $3`, [
    list,
    'gone@example.com',
    gone,
  ]);
  const addresses = [both!, none!, gone!];
  await owner.api(suppressions.import, { body: { addresses, type: 'viber' } });
  await owner.api(suppressions.create, { body: { address: 'gone@example.com' } });

  const toEmail = await bulk([list, OTHER], { type: 'viber', payload, fallbacks: [email] });
  const { meta } = await finished(owner, toEmail.id);
  // Those without another address, or who have opted out there as well, are left out.
  expect(meta.counters).toMatchObject({ total: 2, skipped: { unsubscribed: 2 } });
  const mails = await owner.api(sendings.find, { query: { filter: { type: ['email'] } } });
  expect(mails.data.map(({ recipient }) => recipient)).toEqual(['both@example.com']);

  const bySms = { type: 'viber', payload, fallbacks: [toSms] };
  const recipient = { include: [list, OTHER] };
  expect(
    await owner.api(sendings.estimate, { body: { ...bySms, recipient } as never }),
  ).toMatchObject({ recipients: 4 });
  const { id } = await bulk([list, OTHER], bySms);
  expect((await finished(owner, id)).meta.counters).toMatchObject({ total: 4, errored: 0 });
  const { data } = await owner.api(sendings.find, { query: { filter: { groupId: id } } });
  const refused = data.filter(({ state }) => state.code === 'unsubscribed');
  expect(refused.map((s) => s.recipient).sort()).toEqual(addresses.toSorted());
  expect(data.filter(({ type }) => type === 'sms')).toHaveLength(3);

  // Who has opted out of everything gets nothing, whatever the address.
  await owner.api(suppressions.create, { body: { address: both! } });
  const again = await bulk([list], { type: 'viber', payload, fallbacks: [email, toSms] });
  expect((await finished(owner, again.id)).meta.counters).toMatchObject({
    total: 2,
    skipped: { unsubscribed: 1 },
  });
  expect(await problems(world)).toEqual([]);
});

test('who opts out of everything while a bulk runs gets no fallback at the other address either', async () => {
  const list = await contactList(world, owner.id, 2);
  await world.db.query(
    `update contacts set email = 'c' || right(phone, 9) || '@example.com' where list_id = $1`,
    [list],
  );
  const payloadOf = { sender: 'tea@example.com', text: 'Tea', subject: 'Tea' };
  const fallbacks = [{ type: 'email', payload: payloadOf, ...onFailed }];
  const chain = { type: 'viber', payload, fallbacks, schedule: { delay: 0, until: 4 } };
  const { id } = await bulk([list], chain);
  await until(
    async () => (await owner.api(tasks.get, { params: { id } })).meta.counters.total === 2,
    'the audience',
  );
  const [held] = await world.db.query<{ phone: string }>(
    `select s.phone from sendings s join batches b on b.id = s.batch_id
      where b.task_id = $1 and b.stage = 0 order by b.due_at desc limit 1`,
    [id],
  );
  await owner.api(suppressions.create, { body: { address: held!.phone } });
  await world.db.query(
    `update batches set due_at = now() - interval '1 day' where task_id = $1 and stage = 0`,
    [id],
  );
  await finished(owner, id);
  const { data } = await owner.api(sendings.find, { query: { filter: { groupId: id } } });
  const emails = data.filter(({ type }) => type === 'email');
  expect(emails.map(({ state }) => state.code)).toEqual(['unsubscribed']);
  expect(await problems(world)).toEqual([]);
});

test('codes are sent to all', async () => {
  await owner.api(suppressions.create, { body: { address: PHONE } });
  const code = { type: 'flashcall', payload: { sender: 'MIRTEA', text: '1234' } };
  expect((await send(PHONE, code)).code).not.toBe('unsubscribed');
});

test('the words and the confirmation are of the account', async () => {
  await settingsWith({
    stopWords: ['хватит'],
    startWords: ['давай'],
    stopText: 'До свидания {firstName}',
    type: 'viber',
    sender: 'MIRTEA',
  });
  await reply('STOP');
  expect(await listed()).toEqual([]);
  await reply('Хватит');
  expect(await listed()).toHaveLength(1);
  await until(
    async () => (await textsTo(PHONE)).includes('До свидания {firstName}'),
    'the confirmation as it was written',
  );
  const { data } = await owner.api(sendings.find, { query: { filter: { recipient: PHONE } } });
  expect(data[0]!.type).toBe('viber');
  await expect(settingsWith({ startWords: ['Хватит!'] })).rejects.toMatchObject({
    status: 422,
    body: { data: [expect.objectContaining({ field: 'startWords' })] },
  });
  await expect(settingsWith({ stopWords: ['!!'] })).rejects.toMatchObject({ status: 422 });
  await expect(settingsWith({ type: 'viber', sender: null })).rejects.toMatchObject({
    status: 422,
  });
});

test('addresses are added one by one and in a column, found, and removed', async () => {
  const one = await owner.api(suppressions.create, {
    body: { address: '8 916 111-00-01', note: 'By phone' },
  });
  expect(one).toMatchObject({ address: PHONE, reason: 'manual', note: 'By phone' });
  const again = await owner.api(suppressions.create, { body: { address: PHONE } });
  expect(again.id).toBe(one.id);
  const addresses = [PHONE, OTHER, '8 (916) 111-00-02', 'Anna@Example.com', 'nobody'];
  const report = await owner.api(suppressions.import, { body: { addresses } });
  expect(report).toEqual({ added: 2, known: 1, invalid: 1, refused: ['nobody'] });
  expect(await listed({ search: '+7916' })).toHaveLength(2);
  expect(await listed({ search: '8 916 111 00 02' })).toHaveLength(1);
  expect(await listed({ search: '8 (916)' })).toHaveLength(2);
  expect(await listed({ search: 'ANNA' })).toMatchObject([{ address: 'anna@example.com' }]);
  expect(await listed({ filter: { reason: ['import'] } })).toHaveLength(2);
  // START is of the person, this entry of the account.
  await reply('START');
  expect(await listed()).toHaveLength(3);
  await owner.api(suppressions.remove, { params: { id: one.id } });
  expect(await send(PHONE)).toMatchObject({ status: 'pending' });
  await expect(
    owner.api(suppressions.create, { body: { address: 'nobody' } }),
  ).rejects.toMatchObject({ status: 422 });
});

test('opt-outs are of one account', async () => {
  await reply('STOP');
  const stranger = await world.person({ balance: 100 });
  await approve(world, stranger.id);
  const body = { ...SMS, recipient: PHONE };
  expect(await stranger.api(sendings.create, { body })).toMatchObject({ status: 'pending' });
});

test('the answers to one person are few', async () => {
  for (let i = 0; i < 8; i++) {
    await reply('STOP');
    await reply('START');
  }
  const [row] = await world.db.query<{ n: number }>(
    `select count(*)::int as n from auto_replies where owner_id = $1`,
    [owner.id],
  );
  expect(row!.n).toBe(4);
});

const linkIn = (text: string) => /https?:\/\/\S+\/u\/\S+/.exec(text)![0];
const at = (link: string) => world.base + new URL(link).pathname;

test('the link of a message asks first, and a POST unsubscribes', async () => {
  const text = 'Sale! {unsubscribe}';
  const estimate = await owner.api(sendings.estimate, {
    body: { ...SMS, payload: { ...payload, text }, recipient: PHONE },
  });
  const { id } = await send(PHONE, { ...SMS, payload: { ...payload, text } });
  const sending = await owner.api(sendings.get, { params: { id } });
  expect(sending.meta.stats.segments).toBe(estimate.segments);
  const link = linkIn(sending.payload.text!);
  const shown = (await owner.api(settings.get)).sendings.unsubscribeLink;
  expect(shown).toHaveLength(link.length);
  const page = await fetch(at(link), { headers: { 'accept-language': 'ru' } });
  const html = await page.text();
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(html).toContain('<html lang="ru">');
  expect(html).toContain('MIRTEA');
  // Programs that check links open them.
  await fetch(at(link), { method: 'HEAD' });
  expect(await listed()).toEqual([]);

  const done = await fetch(at(link), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(done.status).toBe(200);
  const action = /action="([^"]+)"/.exec(await done.text())![1]!;
  expect(await listed()).toMatchObject([{ address: PHONE, reason: 'link', SendingId: id }]);
  expect(await send(PHONE)).toMatchObject({ code: 'unsubscribed' });
  expect((await fetch(world.base + action, { method: 'POST' })).status).toBe(200);
  expect(await listed()).toEqual([]);
});

test('each message of a bulk has its own link, also in a fallback', async () => {
  await setCarrier(world, { failed: 1 });
  const linked = { ...payload, text: 'Sale! {unsubscribe}' };
  const fallbacks = [{ type: 'sms', payload: linked, options: { onStatus: ['failed'] } }];
  const { id } = await bulk([PHONE, OTHER], { type: 'viber', payload: linked, fallbacks });
  await finished(owner, id);
  const { data } = await owner.api(sendings.find, { query: { filter: { groupId: id } } });
  const links = data.map((s) => linkIn(s.payload.text!));
  expect(new Set(links).size).toBe(4);
  for (const link of links) expect((await fetch(at(link))).status).toBe(200);
});

test.each(['/u/', `/u/${'A'.repeat(34)}`, '/u/../x', `/u/${'A'.repeat(34)}/return`])(
  'nothing is at %s',
  async (path) => {
    expect((await fetch(world.base + path, { method: 'POST' })).status).toBe(404);
  },
);

test('an e-mail has the headers of one-click', async () => {
  const carrier = await Carrier.start(world, ['email']);
  const email = {
    type: 'email',
    payload: { sender: 'tea@example.com', text: 'Tea', subject: 'Tea' },
  };
  await send('anna@example.com', email);
  await until(() => Promise.resolve(carrier.calls.length > 0), 'the submit');
  const [message] = carrier.calls[0] as unknown as [{ headers: Record<string, string> }];
  expect(message.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  const link = message.headers['List-Unsubscribe']!.slice(1, -1);
  expect((await fetch(at(link), { method: 'POST' })).status).toBe(200);
  expect(await listed()).toMatchObject([{ address: 'anna@example.com', reason: 'link' }]);
});

/** A link of an SMS to a person to whom the account has also written by Viber. */
async function chosenLink(): Promise<string> {
  const linked = { ...payload, text: 'Sale! {unsubscribe}' };
  const viber = await send(PHONE, { type: 'viber', payload });
  const { id } = await send(PHONE, { ...SMS, payload: linked });
  for (const each of [viber.id, id])
    await until(
      async () => !!(await owner.api(sendings.get, { params: { id: each } })).sentAt,
      'the submit',
    );
  return at(linkIn((await owner.api(sendings.get, { params: { id } })).payload.text!));
}
const post = async (url: string, fields: Record<string, string> | string = {}) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'accept-language': 'en' },
    body: new URLSearchParams(fields),
  });
  expect(answer.status).toBe(200);
  return answer.text();
};
const SHOWN = { choice: 'types', shown: 'sms viber' };
const ticksIn = (html: string) =>
  [...html.matchAll(/type="checkbox" name="(\w+)" value="yes"( checked)?/g)].map(
    ([, type, checked]) => `${type}${checked ? '' : ' off'}`,
  );
const stopped = async () =>
  (await listed({ limit: 200 })).map(({ type, reason }) => `${type} ${reason}`).sort();

test('a person chooses the types by which the account writes', async () => {
  const link = await chosenLink();
  const stranger = await world.person({ balance: 100 });
  await approve(world, stranger.id);
  await stranger.api(sendings.create, {
    body: { type: 'whatsapp', payload, recipient: PHONE } as never,
  });
  const asked = await (await fetch(link, { headers: { 'accept-language': 'de' } })).text();
  expect(asked).toContain('Wie darf <bdi>MIRTEA</bdi> Sie erreichen?');
  expect(asked).not.toContain('<script');
  expect(ticksIn(asked)).toEqual(['sms', 'viber']);

  expect(ticksIn(await post(link, { ...SHOWN, sms: 'yes' }))).toEqual(['sms', 'viber off']);
  const [row] = await listed();
  expect(row).toMatchObject({ address: PHONE, type: 'viber', reason: 'link' });
  expect(await send(PHONE, { type: 'viber', payload })).toMatchObject({ code: 'unsubscribed' });
  expect(await send(PHONE)).toMatchObject({ status: 'pending' });
  const { id } = await bulk([PHONE, OTHER], { type: 'viber', payload });
  expect((await finished(owner, id)).meta.counters).toMatchObject({
    total: 1,
    skipped: { unsubscribed: 1 },
  });
  expect((await finished(owner, (await bulk([PHONE])).id)).meta.counters.total).toBe(1);

  // The same again changes nothing; another choice takes this one back.
  await post(link, { ...SHOWN, sms: 'yes' });
  expect(await listed()).toEqual([row]);
  expect(ticksIn(await post(link, { ...SHOWN, viber: 'yes' }))).toEqual(['sms off', 'viber']);
  expect(await stopped()).toEqual(['sms link']);
  expect(ticksIn(await (await fetch(link)).text())).toEqual(['sms off', 'viber']);
  await post(link, { ...SHOWN, sms: 'yes', viber: 'yes' });
  expect(await listed()).toEqual([]);
  expect(await problems(world)).toEqual([]);
});

test('who ends everything and allows one type again gets no other', async () => {
  const link = await chosenLink();
  await settingsWith({ covers: 'channel', isConfirmed: false });
  // The settings of the account say what one click ends, the person what the button of the page does.
  expect(ticksIn(await post(link, 'List-Unsubscribe=One-Click'))).toEqual(['sms off', 'viber']);
  expect(await stopped()).toEqual(['sms link']);
  const ended = await post(link, { choice: 'all' });
  expect(ticksIn(ended)).toEqual(['sms off', 'viber off']);
  expect(ended).toContain('You are unsubscribed');
  expect(await stopped()).toEqual(['null link', 'sms link']);
  expect(await (await fetch(link)).text()).toContain(`action="${new URL(link).pathname}/return"`);

  expect(ticksIn(await post(link, { ...SHOWN, sms: 'yes' }))).toEqual(['sms', 'viber off']);
  expect(await send(PHONE)).toMatchObject({ status: 'pending' });
  for (const type of ['viber', 'whatsapp', 'voice', 'telegram'])
    expect(await stopped()).toContain(`${type} link`);
  expect(await stopped()).not.toContain('null link');
  expect(await stopped()).not.toContain('email link');
  const named = `select count(*)::int as count from suppressions where owner_id = $1 and sending_id is not null`;
  expect(await world.db.query(named, [owner.id])).toEqual([{ count: 0 }]);

  // Without a tick nothing is left, and the return takes that back.
  await post(link, SHOWN);
  expect(await stopped()).toContain('null link');
  expect(ticksIn(await post(`${link}/return`))).toEqual(['sms', 'viber off']);
});

test('entries of the account are neither told nor taken back', async () => {
  const link = await chosenLink();
  await owner.api(suppressions.create, { body: { address: PHONE, type: 'viber' } });
  expect(ticksIn(await (await fetch(link)).text())).toEqual([]);
  await post(link, { ...SHOWN, viber: 'yes' });
  expect(await stopped()).toEqual(['sms link', 'viber manual']);
  await post(link, { ...SHOWN, sms: 'yes', viber: 'yes' });
  expect(await stopped()).toEqual(['viber manual']);
  await owner.api(suppressions.create, { body: { address: PHONE } });
  await post(link, { ...SHOWN, sms: 'yes' });
  expect(await stopped()).toEqual(['null manual', 'viber manual']);
});

test.each([
  'choice=types',
  'choice=types&shown=',
  'choice=types&shown[]=sms&shown[]=viber',
  'choice=types&shown[sms]=yes',
  'choice=types&shown=constructor __proto__ toString&__proto__=yes',
  `choice=types&shown=${'x '.repeat(1000)}`,
  'choice=types&shown=SMS,viber',
])('a choice of nothing changes nothing: %s', async (body) => {
  const link = await chosenLink();
  await post(link, body);
  expect(await listed()).toEqual([]);
});

test('many choices at once leave one of them', async () => {
  const link = await chosenLink();
  const choices = [
    { ...SHOWN, sms: 'yes' },
    { ...SHOWN, viber: 'yes' },
    { ...SHOWN, sms: 'yes', viber: 'yes' },
  ];
  await Promise.all(Array.from({ length: 30 }, (_, i) => post(link, choices[i % 3]!)));
  expect([[], ['sms link'], ['viber link']]).toContainEqual(await stopped());
  const mixed: Record<string, string>[] = [...choices, { choice: 'all' }, {}];
  await Promise.all(Array.from({ length: 30 }, (_, i) => post(link, mixed[i % 5]!)));
  await post(link, { ...SHOWN, viber: 'yes' });
  expect(await stopped()).toContain('sms link');
  expect(await send(PHONE)).toMatchObject({ code: 'unsubscribed' });
  expect(await send(PHONE, { type: 'viber', payload })).toMatchObject({ status: 'pending' });
  await post(link, { ...SHOWN, sms: 'yes', viber: 'yes' });
  expect(await stopped()).not.toContain('sms link');
});

test('each type has a name on the page that no other has', () => {
  for (const locale of LOCALES) {
    const types = SENDING_TYPES.filter((type) => isSuppressible(type) && type !== 'email');
    const names = types.map((type) => typeName(locale, type));
    expect(new Set(names).size).toBe(types.length);
    expect(names.filter((name) => (types as string[]).includes(name))).toEqual([]);
  }
});

test('opt-outs are filtered by their type', async () => {
  await owner.api(suppressions.create, { body: { address: PHONE } });
  await owner.api(suppressions.create, { body: { address: PHONE, type: 'viber' } });
  await owner.api(suppressions.import, { body: { addresses: [OTHER], type: 'sms' } });
  const typesOf = async (...type: (typeof SuppressedType.options)[number][]) =>
    (await listed({ filter: { type } })).map((row) => row.type);
  expect(await typesOf('viber')).toEqual(['viber']);
  expect(await typesOf('all')).toEqual([null]);
  expect(await typesOf('all', 'sms')).toEqual(['sms', null]);
});

test('unusually many opt-outs are notified once', async () => {
  const store = world.api.get(SuppressionsStore, { strict: false });
  const service = world.api.get(SuppressionsService, { strict: false });
  const phones = Array.from({ length: 20 }, (_, i) => `+7916222${1000 + i}`);
  const row = { OwnerId: owner.id, type: 0, reason: 'stop', note: null, SendingId: null } as const;
  // At once: the sweep of a worker would notify of some.
  await world.db.transaction(async () => {
    for (const address of phones) await service.optOut({ ...row, address }, row);
  });
  await service.notifySpikes();
  await service.notifySpikes();
  const { data } = await owner.api(notifications.find);
  expect(data.filter((n) => n.type === 'OptOutSpike')).toMatchObject([{ data: { count: 20 } }]);
  expect(await store.takeSpikes([owner.id], world.clock.now())).toEqual(new Set());
});

test('a blacklisted person is blacklisted first', async () => {
  const list = await owner.api(contactLists.create, { body: { title: 'No', type: 'blacklist' } });
  await world.db.query(`insert into contacts (list_id, phone) values ($1, $2)`, [list.id, PHONE]);
  await owner.api(suppressions.create, { body: { address: PHONE } });
  expect(await send(PHONE)).toMatchObject({ code: 'blacklisted' });
});
