import {
  auth,
  conversations,
  MAX_NOTE_LENGTH,
  sendingsIncoming,
  tokens,
  type Conversation,
} from '@heliograph/contract';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until, World, type Person } from '../../../test/world.ts';
import { erasePerson, requestErasure } from '../sendings/persons/erase-person.ts';
import { ThreadsService } from './threads.service.ts';

let world: World;
let owner: Person;
let anna: Person;
const PHONE = '+79161110001';

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person();
  anna = await world.member(owner, 'sender');
});

async function write(text: string, by = owner): Promise<Conversation> {
  const payload = { text };
  await by.api(sendingsIncoming.create, { body: { type: 'sms', from: PHONE, to: 'TEA', payload } });
  return (await by.api(conversations.find)).data[0]!;
}
const note = ({ id }: { id: string }, text: string, by = owner) =>
  by.api(conversations.note, { params: { id }, body: { text } });
const remove = ({ id }: { id: string }, { id: noteId }: { id: string }, by = owner) =>
  by.api(conversations.removeNote, { params: { id, noteId } });
const thread = ({ id }: { id: string }, query: object = { notes: true }, by = owner) =>
  by.api(conversations.messages, { params: { id }, query });
const textsOf = async (of: { id: string }, query?: object, by = owner) =>
  (await thread(of, query, by)).data.map((m) => m.note?.text ?? m.incoming!.payload.text);
const rows = async () =>
  (await world.db.query<{ text: string }>(`select text from conversation_notes order by id`)).map(
    ({ text }) => text,
  );

test('stands in its place in the thread, with author and time, and changes nothing else', async () => {
  const before = await write('First');
  const made = await note(before, 'She is a regular\n\nguest', anna);
  expect(made).toEqual({
    id: expect.any(String),
    text: 'She is a regular\n\nguest',
    Author: { id: anna.id, name: anna.username },
    mayRemove: true,
    createdAt: expect.any(String),
  });
  expect((await owner.api(conversations.find)).data).toEqual([before]);
  await write('Second');
  expect(await textsOf(before)).toEqual(['Second', made.text, 'First']);
  const { data, hasMore } = await thread(before, { notes: true, $limit: 2 });
  expect(data.map(({ note }) => note)).toEqual([null, made]);
  expect(hasMore).toBe(true);
  expect(await textsOf(before, { notes: true, cursor: made.id })).toEqual(['First']);
  expect(await textsOf(before, {})).toEqual(['Second', 'First']);
});

test('is removed by its author or an owner, and by nobody else', async () => {
  const one = await write('Hello');
  const boris = await world.member(owner, 'sender');
  const partner = await world.member(owner, 'owner');
  const analyst = await world.member(owner, 'analyst');
  const [first, second, third] = [
    await note(one, 'One', anna),
    await note(one, 'Two', anna),
    await note(one, 'Three', anna),
  ];
  const removable = async (by: Person) =>
    (await thread(one, { notes: true }, by)).data.flatMap((m) => m.note?.mayRemove ?? []);
  expect(await removable(boris)).toEqual([false, false, false]);
  expect(await removable(analyst)).toEqual([false, false, false]);
  expect(await removable(partner)).toEqual([true, true, true]);
  for (const by of [boris, analyst])
    await expect(remove(one, first, by)).rejects.toMatchObject({ status: 403 });
  expect(await remove(one, first, anna)).toEqual({ id: first.id });
  await remove(one, second, partner);
  await remove(one, third);
  expect(await textsOf(one)).toEqual(['Hello']);
  await expect(remove(one, third)).rejects.toMatchObject({ status: 404 });
});

test('belongs to its conversation and account; a reseller adds one in its own name', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const [one, mine] = [await write('Hello', customer), await write('Hello')];
  await expect(note(one, 'Mine')).rejects.toMatchObject({ status: 404 });
  const given = await note(one, 'Of the reseller', reseller);
  expect(given.Author).toEqual({ id: reseller.id, name: reseller.username });
  await expect(remove(one, given)).rejects.toMatchObject({ status: 404 });
  await expect(remove(mine, given)).rejects.toMatchObject({ status: 404 });
  const theirs = await note(one, 'Of the customer', customer);
  await expect(remove(one, theirs, reseller)).rejects.toMatchObject({ status: 403 });

  const { token } = await reseller.api(auth.loginAs, { params: { id: customer.id } });
  const borrowed = { ...customer, api: world.client(token) };
  expect((await note(one, 'Borrowed', borrowed)).Author.id).toBe(reseller.id);
  await remove(one, given, customer);
  expect(await textsOf(one, { notes: true }, customer)).toEqual([
    'Borrowed',
    'Of the customer',
    'Hello',
  ]);
});

test('a token needs the permission to change conversations', async () => {
  const one = await write('Hello');
  const { token } = await owner.api(tokens.create, {
    body: { description: 'S', permissions: ['sendingsIncoming.get'] },
  });
  const reading = { ...owner, api: world.client(token) };
  await expect(note(one, 'No', reading)).rejects.toMatchObject({ status: 403 });
  const made = await note(one, 'Yes');
  await expect(remove(one, made, reading)).rejects.toMatchObject({ status: 403 });
  expect((await thread(one, { notes: true }, reading)).data[0]!.note).toEqual({
    ...made,
    mayRemove: false,
  });
});

test('is bounded in length and number', async () => {
  const one = await write('Hello');
  for (const text of [' \n ', 'a'.repeat(MAX_NOTE_LENGTH + 1)])
    await expect(note(one, text)).rejects.toMatchObject({ status: 422 });
  await world.db.query(
    `insert into conversation_notes (conversation_id, author_id, text) select $1, $2, 'n' from generate_series(1, 499)`,
    [one.id, owner.id],
  );
  const last = await note(one, 'a'.repeat(MAX_NOTE_LENGTH));
  await expect(note(one, 'One more')).rejects.toMatchObject({ body: { code: 'quota_exceeded' } });
  await remove(one, last);
  await note(one, 'One more');
});

test('leaves with the data of the person, and when texts expire', async () => {
  const one = await write('Hello');
  await note(one, 'About an erased person');
  const erasure = await requestErasure(world.db, { OwnerId: owner.id, address: PHONE });
  await erasePerson(world.db, erasure);
  expect(await rows()).not.toContain('About an erased person');

  const again = await write('Hello');
  const [old] = [await note(again, 'Old'), await note(again, 'New')];
  const at = `(extract(epoch from now() - interval '366 days') * 1000)::bigint`;
  await world.db.query(
    `update conversation_notes set id = (lpad(to_hex(${at}), 12, '0') || right(replace(id::text, '-', ''), 20))::uuid where id = $1`,
    [old!.id],
  );
  await world.api.get(ThreadsService).deleteOldNotes();
  expect(await textsOf(again)).toEqual(['New', 'Hello']);
});

test('other open cabinets see it at once', async () => {
  const one = await write('Hello');
  const socket = io(world.base, { auth: { token: anna.token }, transports: ['websocket'] });
  const seen: string[] = [];
  socket.on('conversations.updated', ({ items }: { items: Conversation[] }) =>
    seen.push(...items.map(({ id }) => id)),
  );
  await until(async () => socket.connected, 'the socket is connected');
  await note(one, 'Look');
  await until(async () => seen.includes(one.id), 'the event');
  socket.close();
});
