import { sendings, tasks, type SendingTask } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod';
import { contactList, finished, problems, setCarrier } from '../factories.ts';
import { fieldsOf, raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 10_000 });
});

const HOUR = 3_600_000;
const payload = { sender: 'TEA', text: 'Hello' };
const at = (hours: number) => new Date(world.clock.now().getTime() + hours * HOUR).toISOString();
const bodyOf = (list: string, schedule?: object) => ({
  type: 'viber',
  payload,
  recipient: { include: [list] },
  schedule,
});
const send = async (list: string, schedule?: object) =>
  (await owner.api(sendings.create, { body: bodyOf(list, schedule) as never })) as z.infer<
    typeof SendingTask
  >;
const addContact = (list: string, phone: string) =>
  world.db.query(`insert into contacts (list_id, phone) values ($1, $2)`, [list, phone]);
const phonesOf = async (groupId: string) => {
  const { data } = await owner.api(sendings.find, { query: { filter: { groupId }, limit: 200 } });
  return data.map((s) => s.recipient).sort();
};

// No worker runs, so the test can make changes between the start and the reading of the audience.
test('the audience is the contacts of the lists at the start: later ones are not included, removed ones are skipped', async () => {
  const list = await contactList(world, owner.id, 10);
  const delayed = await send(list, { delay: at(1) });
  const now = await send(list);
  expect([now.state, delayed.state]).toEqual(['running', 'scheduled']);
  await addContact(list, '+79030000001');
  await world.db.query(`delete from contacts where list_id = $1 and phone = '+79020000003'`, [
    list,
  ]);
  await world.startWorker();
  const task = await finished(owner, now.id);
  expect(task.meta.counters.total).toBe(9);
  const phones = await phonesOf(now.id);
  expect(phones).not.toContain('+79030000001');
  expect(phones).not.toContain('+79020000003');
  // The other one has not started.
  world.clock.forward(3601);
  expect((await finished(owner, delayed.id)).meta.counters.total).toBe(10);
  expect(await phonesOf(delayed.id)).toContain('+79030000001');
  expect(await problems(world)).toEqual([]);
});

test('a delayed bulk waits for its time', async () => {
  const list = await contactList(world, owner.id, 5);
  const delay = at(2);
  const { id, state, startsAt, startedAt } = await send(list, { delay });
  expect([state, startsAt, startedAt]).toEqual(['scheduled', delay, null]);
  world.clock.forward(2 * 3600 - 60);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect((await owner.api(tasks.get, { params: { id } })).state).toBe('scheduled');
  expect((await owner.api(sendings.find)).total).toBe(0);
  world.clock.forward(61);
  const task = await finished(owner, id);
  expect(Date.parse(task.startedAt!)).toBeGreaterThanOrEqual(Date.parse(delay));
  expect(task.meta.counters).toMatchObject({ total: 5, completed: 5 });
});

test('one phone with a schedule becomes a task with one recipient, which shows when its last message is due', async () => {
  const schedule = { delay: at(2), until: 3 };
  const body = { ...bodyOf('', schedule), recipient: '8 902 000-00-01', options: { title: 'Tea' } };
  const { status, json } = await raw(world, owner, 'POST', '/sendings', body);
  expect([status, json]).toMatchObject([
    201,
    { state: 'scheduled', title: 'Tea', startsAt: schedule.delay, until: expect.any(String) },
  ]);
  expect(Date.parse(json.until) - Date.parse(schedule.delay)).toBe(3 * HOUR);
  const task = await owner.api(tasks.get, { params: { id: json.id } });
  expect(task).toMatchObject({
    until: json.until,
    data: { sending: { schedule }, recipients: { include: { recipients: ['+79020000001'] } } },
  });
  expect((await send(await contactList(world, owner.id, 1), { delay: at(1) })).until).toBeNull();
});

test.each([
  ['for an hour', () => ({ until: 1 })],
  ['until a time', () => ({ delay: 0, until: at(1) })],
])('a bulk stretched %s is due and submitted evenly', async (_, scheduleOf) => {
  const list = await contactList(world, owner.id, 240);
  const { id, startedAt } = await send(list, scheduleOf());
  const start = Date.parse(startedAt!);
  await until(
    async () => (await owner.api(tasks.get, { params: { id } })).meta.counters.total === 240,
    'the audience',
  );
  const due = await world.db.query<{ at: Date; n: number }>(
    `select due_at as at, size as n from batches where task_id = $1`,
    [id],
  );
  const histogram = Array.from({ length: 12 }, () => 0);
  for (const batch of due) {
    const place = (batch.at.getTime() - start) / HOUR;
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThan(1);
    histogram[Math.floor(place * 12)]! += batch.n;
  }
  for (const n of histogram) expect(Math.abs(n - 20)).toBeLessThanOrEqual(1);

  const submitted = async () => {
    const [row] = await world.db.query<{ n: number }>(
      `select coalesce(sum(size), 0)::int as n from batches where task_id = $1 and stage = 3`,
      [id],
    );
    return row!.n;
  };
  for (let quarter = 1; quarter <= 4; quarter++) {
    const wanted = start + (quarter * HOUR) / 4 - 30_000;
    world.clock.forward((wanted - world.clock.now().getTime()) / 1000);
    // One is due every 15 seconds, so half a minute before a quarter two are missing.
    await until(async () => (await submitted()) >= quarter * 60 - 3, `quarter ${quarter}`);
    const now = await submitted();
    expect(now).toBeLessThanOrEqual((world.clock.now().getTime() - start) / 15_000 + 1);
  }
  world.clock.forward(60);
  expect((await finished(owner, id)).meta.counters.completed).toBe(240);
  expect(await problems(world)).toEqual([]);
});

test('an invalid schedule is refused, by the estimate too', async () => {
  const list = await contactList(world, owner.id, 1);
  const wrong: [object, string][] = [
    [{ until: 13 }, 'schedule.until'],
    [{ until: -1 }, 'schedule.until'],
    [{ delay: 5 }, 'schedule.delay'],
    [{ delay: 'tomorrow' }, 'schedule.delay'],
    [{ delay: '2026-02-30T10:00:00Z' }, 'schedule.delay'],
    [{ delay: at(2), until: at(1) }, 'schedule.until'],
    [{ delay: at(1), until: at(14) }, 'schedule.until'],
    [{ delay: 0, until: at(13) }, 'schedule.until'],
    [{ until: at(13) }, 'schedule.until'],
    [{ dealy: at(1) }, 'schedule.dealy'],
    [{ delay: at(-1) }, 'schedule.delay'],
    [{ delay: at(-1 / 50) }, 'schedule.delay'],
    [{ delay: at(367 * 24) }, 'schedule.delay'],
  ];
  for (const [schedule, field] of wrong) {
    for (const recipient of [{ include: [list] }, '+79020000001']) {
      for (const path of ['/sendings', '/sendings/estimate']) {
        const answer = await raw(world, owner, 'POST', path, {
          ...bodyOf(list, schedule),
          recipient,
        });
        expect([schedule, answer.status, fieldsOf(answer)]).toEqual([schedule, 422, [field]]);
      }
    }
  }
  expect((await owner.api(tasks.find)).total).toBe(0);
  // A clock that is a little slow.
  expect((await send(list, { delay: at(-1 / 100) })).state).toBe('running');
});
