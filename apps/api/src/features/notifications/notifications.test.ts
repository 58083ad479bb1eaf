import { notifications, tokens, type Permission, type PersonEvents } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Notifications } from '../../core/notifications.ts';
import { listen as listenTo } from '../../../test/listen.ts';
import { type Person, until, World } from '../../../test/world.ts';

let world: World;
let person: Person;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  person = await world.person();
});
afterAll(() => world.stop());

const tell = (who = person, title = 'Sale') =>
  world.api.get(Notifications).notify(who.id, 'SendingsBulkResumed', { title });

const listen = <E extends keyof PersonEvents>(who: Pick<Person, 'token'>, name: E) =>
  listenTo<PersonEvents[E]>(world, who, name);

test('the last ten are listed newest first, with texts, and counted as unread', async () => {
  for (let i = 0; i < 12; i++) await tell(person, `Sale ${i}`);
  const { data, total, limit } = await person.api(notifications.find);
  expect([data.length, total, limit]).toEqual([10, 12, 10]);
  expect(data[0]).toMatchObject({
    type: 'SendingsBulkResumed',
    title: 'Campaign resumed',
    text: 'Sale 11',
    data: { title: 'Sale 11' },
    channel: 'web',
    isRead: false,
    targetUserId: person.id,
    deliveredAt: null,
  });
  expect(data[0]!.sentAt).not.toBeNull();
  await person.api(notifications.read, { params: { id: data[0]!.id } });
  const unread = await person.api(notifications.find, { query: { filter: { isRead: false } } });
  expect(unread.total).toBe(11);
  const { id } = data[3]!;
  const one = await person.api(notifications.find, { query: { filter: { id } } });
  expect(one.data.map((row) => row.id)).toEqual([id]);
});

test('notifications are searched by their title in any language and by what they are about', async () => {
  await tell(person, 'Autumn sale');
  await world.api
    .get(Notifications)
    .notify(person.id, 'BalanceAccrual', { amount: 150, balance: 7 });
  const found = async (search: string, who = person) =>
    (await who.api(notifications.find, { query: { search } })).data.map(({ type }) => type);
  expect(await found('autumn')).toEqual(['SendingsBulkResumed']);
  expect(await found('campaign resumed')).toEqual(['SendingsBulkResumed']);
  expect(await found('рассылка продолжена')).toEqual(['SendingsBulkResumed']);
  expect(await found('150')).toEqual(['BalanceAccrual']);
  expect(await found('title')).toEqual([]);
  expect(await found('autumn', await world.person())).toEqual([]);
});

test('marking as read twice has no further effect', async () => {
  await tell();
  const [{ id } = { id: '' }] = (await person.api(notifications.find)).data;
  const first = await person.api(notifications.read, { params: { id } });
  expect(first).toMatchObject({ id, isRead: true });
  expect(first.deliveredAt).not.toBeNull();
  expect(await person.api(notifications.read, { params: { id } })).toEqual(first);
});

test('all notifications are marked as read, and no others', async () => {
  const other = await world.person();
  await tell(other);
  for (let i = 0; i < 3; i++) await tell();
  expect(await person.api(notifications.readAll)).toEqual({ read: 3 });
  expect(await person.api(notifications.readAll)).toEqual({ read: 0 });
  expect((await other.api(notifications.find)).data[0]!.isRead).toBe(false);
});

test('only the user’s sockets receive it, not those of the account’s managers', async () => {
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const [mine, theirs] = [
    await listen(person, 'notifications.sent'),
    await listen(manager, 'notifications.sent'),
  ];
  const read = await listen(person, 'notifications.read');
  await tell();
  await until(async () => mine.length === 1, 'the person hears of it');
  const { id } = mine[0]!.items[0]!;
  expect(mine[0]!.items).toMatchObject([{ id, text: 'Sale', isRead: false }]);
  await person.api(notifications.read, { params: { id } });
  await until(async () => read.length === 1, 'the other window hears that it was read');
  expect(read[0]).toMatchObject({ items: [{ id, isRead: true }] });
  expect(theirs).toEqual([]);
});

test('many notifications marked as read are sent as a count', async () => {
  for (let i = 0; i < 17; i++) await tell();
  const read = await listen(person, 'notifications.read');
  await person.api(notifications.readAll);
  await until(async () => read.length === 1, 'the number comes');
  expect(read).toEqual([{ groupId: null, count: 17 }]);
});

test('events of a rolled back transaction are not sent', async () => {
  const heard = await listen(person, 'notifications.sent');
  const failed = world.db.transaction(async () => {
    await tell();
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await tell(person, 'Next');
  await until(async () => heard.length > 0, 'the next one comes');
  expect(heard).toMatchObject([{ items: [{ text: 'Next' }] }]);
});

test('a token that may not see the balance is told nothing of money', async () => {
  const tokenWith = async (permissions: Permission[]) => {
    const { token } = await person.api(tokens.create, {
      body: { description: permissions.join(), permissions },
    });
    return { token, api: world.client(token) };
  };
  const blind = await tokenWith(['notifications.get']);
  const seeing = await tokenWith(['notifications.get', 'billings.find']);
  const heard = [
    await listen(blind, 'notifications.sent'),
    await listen(seeing, 'notifications.sent'),
    await listen(person, 'notifications.sent'),
  ];
  const money = { amount: 98_765.43, balance: 7 };
  await world.api.get(Notifications).notify(person.id, 'BalanceAccrual', money);
  await tell();
  await until(async () => heard.every((all) => all.at(-1)?.items[0]!.text === 'Sale'), 'the last');
  const told = heard.map((all) => all.map(({ items }) => items[0]!.type));
  expect(told.map((types) => types.includes('BalanceAccrual'))).toEqual([false, true, true]);
  const typesOf = async (api: Person['api'], search?: string) =>
    (await api(notifications.find, { query: { search } })).data.map(({ type }) => type);
  const shown = await typesOf(seeing.api);
  expect(shown).toContain('BalanceAccrual');
  expect(await typesOf(blind.api)).toEqual(shown.filter((type) => type !== 'BalanceAccrual'));
  expect(await typesOf(seeing.api, '98765.43')).toEqual(['BalanceAccrual']);
  expect(await typesOf(blind.api, '98765.43')).toEqual([]);
  const { data } = await person.api(notifications.find, {
    query: { filter: { type: ['BalanceAccrual'] } },
  });
  const params = { id: data[0]!.id };
  await expect(blind.api(notifications.get, { params })).rejects.toMatchObject({ status: 404 });
  await expect(blind.api(notifications.read, { params })).rejects.toMatchObject({ status: 404 });
  expect(await seeing.api(notifications.get, { params })).toMatchObject({ data: money });
});
