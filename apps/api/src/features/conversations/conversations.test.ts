import {
  contactLists,
  contacts,
  conversations,
  sendings,
  sendingsIncoming,
  suppressions,
  tokens,
  type Conversation,
  type Permission,
  type SendingInput,
  type SendingReceipt,
} from '@heliograph/contract';
import { typeCode } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod';
import { approve, setCarrier } from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { erasePerson, requestErasure } from '../sendings/persons/erase-person.ts';
import { RepliesService } from '../sendings/reports/replies.service.ts';
import { ConversationsService } from './conversations.service.ts';

type Type = z.infer<typeof SendingInput>['type'];

let world: World;
let owner: Person;
const PHONE = '+79161110001';
const OTHER = '+79161110002';

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

const write = (text: string, from = PHONE, { type = 'sms' as Type, to = 'MIRTEA' } = {}) =>
  owner.api(sendingsIncoming.create, { body: { type, from, to, payload: { text } } });
const listed = async (query = {}, by = owner) => (await by.api(conversations.find, { query })).data;
const theOne = async () => (await listed())[0]!;
const reply = ({ id }: Pick<Conversation, 'id'>, body = {}, by = owner) =>
  by.api(conversations.reply, { params: { id }, body: { text: 'Until nine', ...body } });
const thread = ({ id }: Pick<Conversation, 'id'>, query = {}, by = owner) =>
  by.api(conversations.messages, { params: { id }, query });
const textsOf = async (of: Pick<Conversation, 'id'>, query = {}) =>
  (await thread(of, query)).data.map((m) => (m.incoming ?? m.sending)!.payload.text);

test('a conversation begins with the first message, waits, is answered, closed and opened again', async () => {
  expect(await listed()).toEqual([]);
  const first = await write('Are you open?');
  const begun = await theOne();
  expect(begun).toMatchObject({
    address: PHONE,
    state: 'waiting',
    unread: 1,
    type: 'sms',
    sender: 'MIRTEA',
    contact: null,
    lastMessage: { id: first.id, direction: 'incoming', text: 'Are you open?', attachment: null },
  });
  const receipt = await reply(begun, { text: 'Yes, {firstName}: {{9}} to 21' });
  expect(receipt).toMatchObject({ recipient: PHONE, status: 'pending', error: null });
  expect(await theOne()).toMatchObject({
    id: begun.id,
    state: 'answered',
    unread: 0,
    lastMessage: { id: receipt.id, direction: 'outgoing', text: 'Yes, {firstName}: {{9}} to 21' },
  });
  expect(await textsOf(begun)).toEqual(['Yes, {firstName}: {{9}} to 21', 'Are you open?']);

  await write('Thanks!');
  expect(await theOne()).toMatchObject({ state: 'waiting', unread: 1 });
  const params = { id: begun.id };
  expect(await owner.api(conversations.close, { params })).toMatchObject({
    state: 'closed',
    unread: 0,
  });
  expect(await owner.api(conversations.reopen, { params })).toMatchObject({ state: 'waiting' });
  await owner.api(conversations.close, { params });
  await write('One more thing');
  expect(await theOne()).toMatchObject({ id: begun.id, state: 'waiting', unread: 1 });
});

test('the thread has bulks and singles to the person too, which do not change the conversation', async () => {
  await write('Hello');
  const before = await theOne();
  await owner.api(sendings.create, {
    body: {
      type: 'sms',
      recipient: { include: [PHONE, OTHER] },
      payload: { sender: 'MIRTEA', text: 'Sale' },
    },
  });
  await until(async () => (await textsOf(before)).length === 2, 'the bulk');
  expect(await textsOf(before)).toEqual(['Sale', 'Hello']);
  expect(await theOne()).toEqual(before);
  const [sent] = (await thread(before)).data;
  await until(
    async () => (await thread(before)).data[0]!.sending?.state.status === 'delivered',
    'the delivery',
  );
  expect(sent!.sending).toMatchObject({ recipient: PHONE, meta: { stats: { segments: 1 } } });
});

test('a message that the carrier delivers twice is counted once, and simultaneous ones each', async () => {
  const replies = world.api.get(RepliesService);
  const message = { type: 'sms' as const, from: PHONE, to: 'MIRTEA', payload: { text: 'Hi' } };
  const origin = { OwnerId: owner.id, channel: 'test' };
  const webhookId = `hook-${owner.id}`;
  await Promise.all([1, 2, 3].map(() => replies.receive(message, { ...origin, webhookId })));
  expect(await theOne()).toMatchObject({ unread: 1 });
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      replies.receive(message, { ...origin, webhookId: `${webhookId}-${n}` }),
    ),
  );
  const all = await listed();
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({ unread: 13, state: 'waiting' });
  const { data } = await thread(all[0]!);
  expect(all[0]!.lastMessage.id).toBe(data[0]!.id);
});

test('a person who only unsubscribes does not wait for an answer, one who asks does', async () => {
  await write('STOP');
  expect(await theOne()).toMatchObject({ state: 'closed', unread: 1 });
  await write('And when do you open?');
  expect(await theOne()).toMatchObject({ state: 'waiting', unread: 2 });
  await write('stop');
  expect(await theOne()).toMatchObject({ state: 'waiting', unread: 3 });
});

test('a double click is one reply, charged once', async () => {
  await write('Price?');
  const { id } = await theOne();
  const call = () =>
    owner.api(conversations.reply, {
      params: { id },
      body: { text: 'Three' },
      headers: { 'idempotency-key': 'one-click' },
    });
  const first = await call();
  expect(await call()).toEqual(first);
  expect(await textsOf({ id })).toEqual(['Three', 'Price?']);
  const [{ n }] = (await world.db.query<{ n: number }>(
    `select count(*)::int as n from billings where owner_id = $1 and amount < 0`,
    [owner.id],
  )) as [{ n: number }];
  expect(n).toBe(1);
});

test('a reply to one person is not taken for a repetition of that to another', async () => {
  await write('First?');
  await write('Second?', OTHER);
  const [{ id: second }, { id: first }] = (await listed()) as [Conversation, Conversation];
  const call = (id: string) =>
    owner.api(conversations.reply, {
      params: { id },
      body: { text: 'Yes' },
      headers: { 'idempotency-key': 'one-key' },
    });
  await call(first);
  await expect(call(second)).rejects.toMatchObject({
    status: 422,
    body: { code: 'idempotency_mismatch' },
  });
  expect(await textsOf({ id: second })).toEqual(['Second?']);
});

test('a refused reply says why and leaves the conversation waiting', async () => {
  await write('Hello');
  const one = await theOne();
  const refused = async (body = {}) =>
    (await reply(one, body).catch((error: { body: unknown }) => error.body)) as SendingReceipt;
  expect(await refused({ sender: 'UNKNOWN' })).toMatchObject({ code: 'sender_not_approved' });
  await owner.api(suppressions.create, { body: { address: PHONE } });
  expect(await refused()).toMatchObject({ status: 'failed', code: 'unsubscribed' });
  const detail = await owner.api(conversations.get, { params: { id: one.id } });
  expect(detail).toMatchObject({ optOuts: [null], channels: [{ type: 'sms', sender: 'MIRTEA' }] });
  await world.db.query(`delete from suppressions where owner_id = $1`, [owner.id]);
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [owner.id]);
  expect(await refused()).toMatchObject({ status: 'failed', code: 'insufficient_funds' });
  expect(await theOne()).toMatchObject({ state: 'waiting', unread: 1 });
  await expect(reply(one, { type: 'flashcall' })).rejects.toMatchObject({
    status: 422,
    body: { errors: [{ property: 'text' }] },
  });
  await expect(reply(one, { text: ' ' })).rejects.toMatchObject({ status: 422 });
});

test('an address that is no phone number is one recipient, whatever it contains', async () => {
  await write('Hello', 'BANK,+79161110009;+79161110010');
  const one = await theOne();
  const refusal = await reply(one).catch((error: { body: unknown }) => error.body);
  expect(refusal).toMatchObject({ code: 'invalid_recipient' });
});

test('a message that came after what the author saw still waits', async () => {
  const seen = await write('First');
  const { id } = await theOne();
  const last = await write('Second');
  const params = { id };
  const body = { messageId: seen.id };
  expect(await owner.api(conversations.read, { params, body })).toMatchObject({ unread: 2 });
  await reply({ id }, body);
  expect(await theOne()).toMatchObject({ state: 'waiting', unread: 2 });
  expect(
    await owner.api(conversations.read, { params, body: { messageId: last.id } }),
  ).toMatchObject({ unread: 0, state: 'waiting' });
});

test('is listed by the last message, filtered and searched', async () => {
  await write('The green one', PHONE);
  await write('The black one', OTHER, { type: 'viber', to: 'TEA' });
  await write('A letter', 'anna@tea.example', { type: 'email', to: 'shop@tea.example' });
  const addresses = async (query: object) => (await listed(query)).map((c) => c.address);
  const all = ['anna@tea.example', OTHER, PHONE];
  expect(await addresses({})).toEqual(all);
  expect(await addresses({ filter: { type: ['viber'] } })).toEqual([OTHER]);
  expect(await addresses({ filter: { state: ['closed'] } })).toEqual([]);
  expect(await addresses({ search: '7916111' })).toEqual([OTHER, PHONE]);
  expect(await addresses({ search: '8 916 111-00-01' })).toEqual([PHONE]);
  expect(await addresses({ search: 'BLACK' })).toEqual([OTHER]);
  expect(await addresses({ search: 'anna@' })).toEqual(['anna@tea.example']);
  expect(await addresses({ search: 'nothing of this' })).toEqual([]);
  const [first, second] = await listed({ limit: 2 });
  expect(first!.lastMessageAt >= second!.lastMessageAt).toBe(true);
  expect(await addresses({ limit: 2, filter: { cursor: second!.lastMessage.id } })).toEqual([
    PHONE,
  ]);
  await reply((await listed({ search: PHONE }))[0]!);
  expect(await addresses({})).toEqual([PHONE, 'anna@tea.example', OTHER]);
});

test('names the contact, for those who may read contacts', async () => {
  await write('Hello');
  const list = await owner.api(contactLists.create, { body: { title: 'People', type: 'regular' } });
  await owner.api(contacts.create, {
    body: { ListId: list.id, phone: PHONE, firstName: 'Anna', lastName: 'Petrova' },
  });
  expect(await theOne()).toMatchObject({ contact: 'Anna Petrova' });
  await world.db.query(`update users set grants = '{"remove":["contacts.get"]}' where id = $1`, [
    owner.id,
  ]);
  await until(async () => !('contact' in (await theOne())), 'the withdrawn permission');
});

test('has no text of the account for those who may not read sent messages', async () => {
  await write('Are you open?');
  const conversation = await theOne();
  await reply(conversation, { text: 'Your code is 1234' });
  const readWith = async (permissions: Permission[]) => {
    const { token } = await owner.api(tokens.create, { body: { description: 'S', permissions } });
    const api = world.client(token);
    const { id } = conversation;
    return [
      (await api(conversations.find)).data[0]!,
      await api(conversations.get, { params: { id } }),
    ];
  };
  const textsWith = async (permissions: Permission[]) =>
    (await readWith(permissions)).map(({ lastMessage }) => lastMessage);
  const last = { direction: 'outgoing', text: 'Your code is 1234' };
  expect(await textsWith(['sendingsIncoming.get', 'sendings.get'])).toEqual([
    expect.objectContaining(last),
    expect.objectContaining(last),
  ]);
  const hidden = { ...last, text: null };
  expect(await textsWith(['sendingsIncoming.get'])).toEqual([
    expect.objectContaining(hidden),
    expect.objectContaining(hidden),
  ]);
});

test('belongs to its account; its reseller reads and answers for it', async () => {
  const reseller = await world.person({ level: 'reseller' });
  owner = await world.person({ balance: 1000, resellerId: reseller.id });
  await approve(world, owner.id);
  await write('Hello');
  const one = await theOne();
  const stranger = await world.person();
  expect(await listed({}, stranger)).toEqual([]);
  await expect(thread(one, {}, stranger)).rejects.toMatchObject({ status: 404 });
  await expect(reply(one, {}, stranger)).rejects.toMatchObject({ status: 404 });
  expect(await listed({}, reseller)).toMatchObject([{ id: one.id, Owner: { id: owner.id } }]);
  const { id } = await reply(one, {}, reseller);
  expect(await owner.api(sendings.get, { params: { id } })).toMatchObject({ OwnerId: owner.id });
  expect(await owner.api(conversations.readAll)).toEqual({ read: 0, hasMore: false });
});

test('marks all as read, and one as waiting', async () => {
  await Promise.all([write('One'), write('Two', OTHER)]);
  expect(await owner.api(conversations.readAll)).toEqual({ read: 2, hasMore: false });
  expect((await listed()).map((c) => c.unread)).toEqual([0, 0]);
  const one = await theOne();
  await owner.api(conversations.close, { params: { id: one.id } });
  const { address } = one;
  await world.api.get(ConversationsService).markWaiting(owner.id, [address]);
  expect((await listed()).map((c) => c.state)).toEqual(['waiting', 'waiting']);
});

test('an erased person leaves no conversation; a later message begins another', async () => {
  await write('Forget me');
  const one = await theOne();
  const erasure = await requestErasure(world.db, { OwnerId: owner.id, address: PHONE });
  expect(await erasePerson(world.db, erasure)).toMatchObject({ conversation: one.id, incoming: 1 });
  expect(await listed()).toEqual([]);
  await expect(thread(one)).rejects.toMatchObject({ status: 404 });
  await write('Hello again');
  expect((await theOne()).id).not.toBe(one.id);
});

test('expires with its texts', async () => {
  await write('Old');
  await write('New', OTHER);
  const at = `(extract(epoch from now() - interval '366 days') * 1000)::bigint`;
  await world.db.query(
    `update conversations set last_id = (lpad(to_hex(${at}), 12, '0') || right(replace(last_id::text, '-', ''), 20))::uuid
      where owner_id = $1 and address = $2`,
    [owner.id, PHONE],
  );
  await world.api.get(ConversationsService).deleteOld();
  expect((await listed()).map((c) => c.address)).toEqual([OTHER]);
});

/** Rows that the statements of a call read, by the plan of the same statement. */
test('a page of a thread with 10,000 messages reads a page of each direction', async () => {
  await write('The first');
  const one = await theOne();
  await world.db.query(
    `with b as (
       insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, closed_at)
       values ($1, 'simulator', 1, 1, 3, 10000, uuidv7(), uuidv7(), now(), now()) returning id)
     insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, body)
     select uuidv7(), $1, b.id, ${typeCode('sms')}, 1, 3, 1, 0, 'MIRTEA', $2, 'Message ' || n from b, generate_series(1, 10000) n`,
    [owner.id, PHONE],
  );
  const texts: (string | undefined)[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 3; page++) {
    const { data, hasMore } = await thread(one, { $limit: 100, ...(cursor && { cursor }) });
    expect(hasMore).toBe(true);
    texts.push(...data.map((m) => m.sending?.payload.text));
    cursor = data.at(-1)!.id;
  }
  expect(texts).toEqual(Array.from({ length: 300 }, (_, n) => `Message ${10_000 - n}`));
  const plan = await world.db.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, costs off, timing off) select id from sendings where owner_id = '${owner.id}' and phone = '${PHONE}' order by id desc limit 31`,
  );
  const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(lines).toContain('sendings_address');
  expect(lines).toMatch(/rows=31/);
  expect(lines).not.toMatch(/Sort|rows=10000/);
});
