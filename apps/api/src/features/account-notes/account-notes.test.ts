import {
  accountNotes,
  ADMINISTRATOR_GRANTS,
  audit,
  auth,
  MAX_ACCOUNT_NOTE_LENGTH,
  type AccountNote,
  type ApiError,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { type Person, World } from '../../../test/world.ts';

let world: World;
let administrator: Person;
let manager: Person;
let reseller: Person;
let customer: Person;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  manager = await world.person({ level: 'manager' });
});
beforeEach(async () => {
  reseller = await world.person({ level: 'reseller', managerId: manager.id });
  customer = await world.person({ resellerId: reseller.id, managerId: manager.id });
});
afterAll(() => world.stop());

const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: ApiError) => error.code,
  );
const write = (by: Person, { id } = customer, text = 'Pays late'): Promise<AccountNote> =>
  by.api(accountNotes.create, { params: { id }, body: { text } });
const read = async (by: Person, { id } = customer): Promise<AccountNote[]> =>
  (await by.api(accountNotes.find, { params: { id } })).data;
const textsFor = async (by: Person, about?: Person) =>
  (await read(by, about)).map(({ text }) => text);
const change = (by: Person, noteId: string, text = 'Pays', { id } = customer) =>
  by.api(accountNotes.update, { params: { id, noteId }, body: { text } });
const remove = (by: Person, noteId: string, { id } = customer) =>
  by.api(accountNotes.remove, { params: { id, noteId } });

test('a note names who wrote it and when; the last is the first of the list', async () => {
  const first = await write(manager);
  expect(first).toMatchObject({
    text: 'Pays late',
    Author: { id: manager.id, name: manager.username },
    isOwn: true,
    mayRemove: true,
    changedAt: null,
  });
  await write(administrator, customer, 'Two\nlines');
  expect(await textsFor(manager)).toEqual(['Two\nlines', 'Pays late']);
});

test('its author changes it, nobody else; the author and an administrator remove it', async () => {
  const { id } = await write(manager);
  const { id: other } = await write(administrator);
  const changed = await change(manager, id);
  expect(changed).toMatchObject({ text: 'Pays', isOwn: true });
  expect(changed.changedAt).not.toBeNull();
  expect(await codeOf(change(administrator, id))).toBe('forbidden');
  expect(await codeOf(change(manager, other))).toBe('forbidden');
  expect(await codeOf(remove(manager, other))).toBe('forbidden');
  expect(await read(administrator)).toMatchObject([
    { id: other, isOwn: true, mayRemove: true },
    { id, isOwn: false, mayRemove: true },
  ]);
  expect(await read(manager)).toMatchObject([{ mayRemove: false }, { mayRemove: true }]);
  await remove(administrator, id);
  await remove(administrator, other);
  expect(await read(manager)).toEqual([]);
});

test('neither an account nor its team reads, writes or learns of notes about it', async () => {
  const { id } = await write(manager);
  const { id: ofReseller } = await write(manager, reseller, 'A reseller in debt');
  const member = await world.member(customer, 'owner');
  const borrowed = await manager.api(auth.loginAs, { params: { id: reseller.id } });
  const inside = { ...reseller, api: world.client(borrowed.token) };
  for (const who of [customer, member]) {
    expect(await codeOf(read(who))).toBe('forbidden');
    expect(await codeOf(write(who))).toBe('forbidden');
    expect(await codeOf(remove(who, id))).toBe('forbidden');
  }
  for (const who of [reseller, inside]) {
    expect(await codeOf(read(who, reseller))).toBe('forbidden');
    expect(await codeOf(write(who, reseller))).toBe('forbidden');
    expect(await codeOf(change(who, ofReseller, 'x', reseller))).toBe('forbidden');
  }
  for (const who of [customer, member, reseller]) {
    const { data } = await who.api(audit.find);
    expect(data.filter(({ action }) => action.startsWith('accountNotes'))).toEqual([]);
  }
  const [log] = (
    await manager.api(audit.find, { query: { filter: { action: ['accountNotes.create'] } } })
  ).data;
  expect(log).toMatchObject({
    OwnerId: manager.id,
    target: { type: 'account_notes', id: ofReseller },
    after: { account: reseller.id },
  });
  expect(JSON.stringify(log)).not.toContain('in debt');
});

test('a reseller keeps notes on its customers: the operator reads them, the next reseller does not', async () => {
  const { id: hidden } = await write(manager, customer, 'Of the operator');
  const { id: own } = await write(reseller, customer, 'Of the reseller');
  expect(await textsFor(reseller)).toEqual(['Of the reseller']);
  expect(await codeOf(change(reseller, hidden))).toBe('not_found');
  expect(await codeOf(remove(reseller, hidden))).toBe('not_found');
  expect(await textsFor(manager)).toEqual(['Of the reseller', 'Of the operator']);
  const next = await world.person({ level: 'reseller' });
  expect(await codeOf(read(next))).toBe('not_found');
  await world.db.query(`update users set reseller_id = $2 where id = $1`, [customer.id, next.id]);
  expect(await textsFor(next)).toEqual([]);
  expect(await codeOf(remove(next, own))).toBe('not_found');
  expect(await codeOf(read(reseller))).toBe('not_found');
});

test('another manager, a note of another account and a member of a team are refused', async () => {
  const { id } = await write(manager);
  const stranger = await world.person({ level: 'manager' });
  expect(await codeOf(read(stranger))).toBe('not_found');
  expect(await codeOf(write(stranger))).toBe('not_found');
  expect(await codeOf(change(manager, id, 'x', reseller))).toBe('not_found');
  expect(await codeOf(remove(manager, id, reseller))).toBe('not_found');
  const member = await world.member(customer, 'sender');
  expect(await codeOf(write(manager, member))).toBe('conflict');
});

test('a text is required and bounded, and so is the number of notes', async () => {
  for (const text of ['', ' \n', 'x'.repeat(MAX_ACCOUNT_NOTE_LENGTH + 1)])
    expect(await codeOf(write(manager, customer, text))).toBe('validation');
  await world.db.query(
    `insert into account_notes (owner_id, author_id, author_owner_id, text)
     select $1, $2, $2, 'n' from generate_series(1, 499)`,
    [customer.id, manager.id],
  );
  await write(manager);
  expect(await codeOf(write(manager))).toBe('quota_exceeded');
});

test('notes leave with their account', async () => {
  const [gone] = await world.db.query<{ id: string }>(
    `insert into users (id, username, password_hash, owner_id, manager_id)
     select id, id::text, 'x', id, $1 from uuidv7() id returning id`,
    [manager.id],
  );
  const { id } = await write(manager, gone as Person);
  await world.db.query(`delete from users where id = $1`, [gone!.id]);
  expect(await world.db.query(`select 1 from account_notes where id = $1`, [id])).toEqual([]);
});
