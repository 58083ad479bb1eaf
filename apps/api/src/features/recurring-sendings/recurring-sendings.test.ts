import {
  contactLists,
  contacts,
  notifications,
  recurringSendings,
  tasks,
  tokens,
  type RecurringSending,
} from '@heliograph/contract';
import { nextOccurrence } from '@heliograph/domain';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { approve, setCarrier } from '../../../test/factories.ts';
import { World, type Person } from '../../../test/world.ts';
import { RecurringScheduler } from './recurring-scheduler.ts';
import { RecurringSendingsStore } from './recurring-sendings.store.ts';

const HOUR_MS = 3_600_000;
let world: World;
/** Whose sweeps run only when a test calls them. */
let apis: INestApplicationContext[];
let person: Person;
let ListId: string;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  apis = [world.api, (await world.startApi()).app];
});
beforeEach(async () => {
  person = await world.person({ balance: 100_000 });
  await approve(world, person.id);
  ListId = (await person.api(contactLists.create, { body: { title: 'Guests', type: 'regular' } }))
    .id;
  await add('+79161000001');
});
afterAll(() => world.stop());

const add = (phone: string) => person.api(contacts.create, { body: { ListId, phone } as never });
const DAILY = { frequency: 'daily', time: '09:30', timeZone: 'Europe/Moscow' } as const;
const bodyOf = (more: object = {}) => ({
  title: 'Tea of the week',
  type: 'sms',
  payload: { sender: 'MIRTEA', text: 'Oolong is back' },
  recipient: { include: [ListId] },
  ...DAILY,
  ...more,
});
const create = (more: object = {}, who = person): Promise<RecurringSending> =>
  who.api(recurringSendings.create, { body: bodyOf(more) as never });
const get = (id: string) => person.api(recurringSendings.get, { params: { id } });
const update = (id: string, body: object, who = person) =>
  who.api(recurringSendings.update, { params: { id }, body: body as never });
const runs = async (id: string) =>
  (await person.api(recurringSendings.runs, { params: { id } })).data;
const bulks = async () => (await person.api(tasks.find, {})).data;
/** As if the time of the next run had come an hour ago. */
async function makeDue(id: string, at = new Date(Date.now() - HOUR_MS)): Promise<Date> {
  await world.db.query(
    `update recurring_sendings set next_run_at = $2, attempt_at = $2 where id = $1`,
    [id, at],
  );
  return at;
}
const scheduler = (api = apis[0]!) => api.get(RecurringScheduler, { strict: false });
async function run(id: string): Promise<RecurringSending> {
  await makeDue(id);
  await scheduler().runDue();
  return get(id);
}
const told = async () => {
  const { data } = await person.api(notifications.find, { query: { limit: 100 } });
  return data.filter(({ type }) => type === 'RecurringSendingFailed').map((one) => one.data);
};

test('answers the next times in the time zone, and lists, changes, pauses and removes it', async () => {
  const row = await create({ frequency: 'monthly', day: 31 });
  const rule = {
    frequency: 'monthly' as const,
    weekdays: [],
    day: 31,
    minutes: 570,
    timeZone: 'Europe/Moscow',
  };
  const first = nextOccurrence(rule, new Date(row.createdAt))!;
  expect(row).toMatchObject({
    isActive: true,
    nextRunAt: first.toISOString(),
    runs: 0,
    lastRun: null,
    UserId: person.id,
  });
  const { times } = await person.api(recurringSendings.next, { params: { id: row.id } });
  expect(times).toHaveLength(5);
  expect(times.slice(0, 2)).toEqual([
    first.toISOString(),
    nextOccurrence(rule, first)!.toISOString(),
  ]);
  expect((await person.api(recurringSendings.find, {})).data).toEqual([row]);
  const same = await update(row.id, {
    title: 'Oolong',
    payload: { sender: 'MIRTEA', text: 'Tea' },
  });
  expect(same).toMatchObject({
    title: 'Oolong',
    payload: { text: 'Tea' },
    nextRunAt: row.nextRunAt,
  });
  const paused = await update(row.id, { isActive: false });
  expect(paused).toMatchObject({ isActive: false, nextRunAt: null, reason: null });
  expect((await update(row.id, { isActive: true })).nextRunAt).toBe(row.nextRunAt);
  await person.api(recurringSendings.remove, { params: { id: row.id } });
  await expect(get(row.id)).rejects.toMatchObject({ status: 404 });
});

test('refuses what would never run, what a bulk is refused for, and lists of others', async () => {
  const other = await world.person();
  const foreign = await other.api(contactLists.create, { body: { title: 'x', type: 'regular' } });
  const wrong: [object, number][] = [
    [{ frequency: 'weekly' }, 422],
    [{ frequency: 'monthly' }, 422],
    [{ frequency: 'monthly', day: 32 }, 422],
    [{ frequency: 'weekly', weekdays: [8] }, 422],
    [{ time: '24:00' }, 422],
    [{ time: '9:00' }, 422],
    [{ timeZone: 'Mars/Olympus' }, 422],
    [{ until: '2020-01-01' }, 422],
    [{ from: '2030-02-02', until: '2030-02-01' }, 422],
    [{ times: 0 }, 422],
    [{ recipient: { include: [] } }, 422],
    [{ recipient: { include: ['+79161000001'] } }, 422],
    [{ recipient: { include: [ListId], exclude: [ListId] } }, 422],
    [{ payload: { sender: 'MIRTEA', text: '' } }, 422],
    [{ payload: { sender: 'NOBODY', text: 'Tea' } }, 422],
    [{ recipient: { include: [foreign.id] } }, 404],
  ];
  for (const [body, status] of wrong)
    await expect(create(body), JSON.stringify(body)).rejects.toMatchObject({ status });
  const row = await create();
  await expect(update(row.id, { frequency: 'weekly' })).rejects.toMatchObject({ status: 422 });
  await expect(update(row.id, { title: 'Mine' }, other)).rejects.toMatchObject({ status: 404 });
});

test('sends one bulk for a due time, with several workers at once', async () => {
  const { id } = await create({ schedule: { until: 2 }, callbackData: 'weekly' });
  const at = await makeDue(id);
  await Promise.all([...apis, ...apis].map((api) => scheduler(api).runDue()));
  const [task, ...others] = await bulks();
  expect(others).toEqual([]);
  expect(task).toMatchObject({
    title: 'Tea of the week',
    data: { sending: { callbackData: 'weekly' }, recipients: { include: { lists: [ListId] } } },
    meta: { counters: { expected: 1 } },
  });
  expect(task!.until).not.toBeNull();
  const row = await get(id);
  expect(row).toMatchObject({
    runs: 1,
    failures: 0,
    lastRun: { dueAt: at.toISOString(), TaskId: task!.id, code: null },
  });
  expect(Date.parse(row.nextRunAt!)).toBeGreaterThan(Date.now());
});

test('a worker that is killed before the commit leaves nothing, and the next sends the bulk', async () => {
  const { id } = await create();
  await makeDue(id);
  // The last statement of the run.
  const store = world.api.get(RecurringSendingsStore, { strict: false });
  vi.spyOn(store, 'replace').mockRejectedValueOnce(new Error('killed'));
  await scheduler().runDue();
  expect(await bulks()).toEqual([]);
  expect(await get(id)).toMatchObject({ runs: 0, failures: 0, lastRun: null, isActive: true });
  await world.db.query(`update recurring_sendings set attempt_at = next_run_at where id = $1`, [
    id,
  ]);
  await scheduler(apis[1]).runDue();
  expect(await bulks()).toHaveLength(1);
  expect(await runs(id)).toHaveLength(1);
});

test('a database without room for an hour takes no run from anybody: it is made as soon as there is room', async () => {
  const { id } = await create();
  await makeDue(id);
  const store = world.api.get(RecurringSendingsStore, { strict: false });
  const full = vi
    .spyOn(store, 'addRun')
    .mockRejectedValue(Object.assign(new Error('could not extend file'), { code: '53100' }));
  for (let i = 0; i < 60; i++)
    await expect(scheduler().runDue()).rejects.toMatchObject({ code: '53100' });
  full.mockRestore();
  expect(await get(id)).toMatchObject({ runs: 0, failures: 0, lastRun: null, isActive: true });
  await scheduler().runDue();
  expect(await bulks()).toHaveLength(1);
  expect(await told()).toEqual([]);
});

test('a due time that was run is not run again', async () => {
  const { id } = await create();
  const at = await makeDue(id);
  await scheduler().runDue();
  await makeDue(id, at);
  await scheduler().runDue();
  expect(await bulks()).toHaveLength(1);
  expect(await get(id)).toMatchObject({ runs: 1, isActive: true });
});

test('times that were missed are run once, with the contacts of then', async () => {
  const { id } = await create();
  await add('+79161000002');
  await makeDue(id, new Date(Date.now() - 30 * 24 * HOUR_MS));
  await scheduler().runDue();
  await scheduler().runDue();
  const [task, ...others] = await bulks();
  expect(others).toEqual([]);
  expect(task!.meta.counters.expected).toBe(2);
});

test('a run that fails is told and shown; after three in a row it pauses, and a resumed one goes on', async () => {
  const { id } = await create();
  await world.db.query(`update balances set balance = 0 where owner_id = $1`, [person.id]);
  for (const failures of [1, 2])
    expect(await run(id)).toMatchObject({
      failures,
      isActive: true,
      reason: null,
      lastRun: { code: 'insufficient_funds', TaskId: null },
    });
  expect(await run(id)).toMatchObject({ failures: 3, isActive: false, reason: 'failed' });
  expect(await bulks()).toEqual([]);
  const { title } = bodyOf();
  expect(await told()).toEqual([
    { id, title, reason: 'insufficient_funds', failures: 3 },
    { id, title, reason: 'insufficient_funds' },
    { id, title, reason: 'insufficient_funds' },
  ]);
  expect((await runs(id)).map(({ code }) => code)).toEqual(Array(3).fill('insufficient_funds'));
  await world.db.query(`update balances set balance = 100000 where owner_id = $1`, [person.id]);
  expect(await update(id, { isActive: true })).toMatchObject({ failures: 0, reason: null });
  expect(await run(id)).toMatchObject({ runs: 1, failures: 0, isActive: true });
});

test('one whose time zone is no longer known keeps no other one from its bulk', async () => {
  const [lost, other] = [await create(), await create({ title: 'Tea of the month' })];
  await makeDue(lost.id, new Date(Date.now() - 2 * HOUR_MS));
  await makeDue(other.id);
  // Its last try, after which the next time is sought.
  await world.db.query(
    `update recurring_sendings set time_zone = 'Mars/Olympus', tries = 29 where id = $1`,
    [lost.id],
  );
  await scheduler().runDue();
  expect(await get(other.id)).toMatchObject({ runs: 1, lastRun: { code: null } });
  await world.db.query(`delete from recurring_sendings where id = $1`, [lost.id]);
});

test('a run is refused for a list that was removed and for an account that is suspended', async () => {
  const { id } = await create();
  await world.db.query(`update users set is_active = false where id = $1`, [person.id]);
  await makeDue(id);
  await scheduler().runDue();
  await world.db.query(`update users set is_active = true where id = $1`, [person.id]);
  expect((await runs(id)).map(({ code }) => code)).toEqual(['account_inactive']);
  await person.api(contactLists.remove, { params: { id: ListId } });
  expect(await run(id)).toMatchObject({ failures: 2, lastRun: { code: 'not_found' } });
});

test('it ends after its last time or day, and does not go on without a later one', async () => {
  const once = await create({ times: 1 });
  expect(await run(once.id)).toMatchObject({ runs: 1, isActive: false, reason: 'ended' });
  await expect(update(once.id, { isActive: true })).rejects.toMatchObject({ status: 422 });
  expect(await update(once.id, { isActive: true, times: 2 })).toMatchObject({ isActive: true });
  const tomorrow = new Date(Date.now() + 48 * HOUR_MS).toISOString().slice(0, 10);
  const { id } = await create({ until: tomorrow });
  await world.db.query(`update recurring_sendings set until = '2020-01-01' where id = $1`, [id]);
  expect(await run(id)).toMatchObject({ runs: 1, isActive: false, reason: 'ended' });
});

test('who may not send can pause it, but not resume or change it', async () => {
  const { id } = await create();
  const body = { description: 'Pauses', permissions: ['tasks.get', 'tasks.update'] as never };
  const { token } = await person.api(tokens.create, { body });
  const limited = { ...person, api: world.client(token) };
  const change = (changes: object) => update(id, changes, limited);
  expect(await change({ isActive: false })).toMatchObject({ isActive: false });
  for (const changes of [{ isActive: true }, { title: 'Mine' }])
    await expect(change(changes)).rejects.toMatchObject({ status: 403 });
});
