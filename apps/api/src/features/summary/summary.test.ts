import {
  outcomeCode,
  statusCode,
  typeCode,
  type Outcome,
  type StoredStatus,
} from '@heliograph/domain';
import { summary } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Person, World } from '../../../test/world.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { ORIGIN_CODES } from '../billings/billings.service.ts';
import { SummaryStore } from './summary.store.ts';

let world: World;
let person: Person;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Whole quarters of an hour ago, so that the day has begun in every zone of the test. */
const morning = Date.now() - (Date.now() % (HOUR / 4)) - 3 * HOUR;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  person = await world.person({ balance: 100 });
});
afterAll(() => world.stop());

/** As the engine leaves them: a row and its entry. An attempt of a chain has its first one's id. */
async function sent(
  at: number,
  status: StoredStatus | null,
  amount: number,
  { refunded = false, outcome = 'pending' as Outcome, chain = null as string | null } = {},
): Promise<string> {
  const id = uuidv7(new Date(at));
  const code = status && statusCode(status);
  const end = outcome === 'pending' ? null : outcomeCode(outcome);
  await world.db.query(
    `with b as (insert into batches (owner_id, channel, type, priority, size, first_id, last_id, due_at)
                values ($2, 'simulator', $3, 1, 1, $1, $1, now()) returning id)
     insert into sendings (id, owner_id, chain_id, attempt, batch_id, type, segments, status, outcome, amount, sender, phone)
     select $1, $2, $6, case when $6::uuid is null then 0 else 1 end, id, $3, 1, $4, $7, $5, 'TEA', '+79001234567' from b`,
    [id, person.id, typeCode('sms'), code, amount, chain, end],
  );
  await world.db.query(
    `insert into billings (id, owner_id, source, amount, status, refunded_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, person.id, typeCode('sms'), -amount, refunded ? 2 : 1, refunded ? new Date() : null],
  );
  return id;
}
const ask = (from = morning) =>
  person.api(summary.get, { query: { from: new Date(from).toISOString() } });

test('today is counted by recipients, however many attempts they took, from when the asker’s day began', async () => {
  const reached = { outcome: 'delivered' as const };
  await sent(morning + 1, 'delivered', 3, reached);
  await sent(morning + HOUR, 'seen', 2.5, reached);
  await sent(morning + HOUR, 'failed', 2, { refunded: true, outcome: 'failed' });
  await sent(morning + 2 * HOUR, null, 1.0001);
  await sent(morning - 1, 'delivered', 7, reached);
  const saved = await sent(morning + HOUR, 'failed', 4, { refunded: true, ...reached });
  await sent(morning + HOUR + 1, 'delivered', 1, { chain: saved });
  await sent(morning + HOUR, 'failed', 9, { refunded: true, outcome: 'cancelled' });
  const found = await ask();
  expect(found.days.map((day) => day.total)).toEqual([0, 0, 0, 0, 0, 1, 6]);
  expect(found.days[6]).toEqual({
    from: new Date(morning).toISOString(),
    total: 6,
    delivered: 3,
    failed: 1,
    cancelled: 1,
    spent: 7.5001,
  });
  const other = await ask(morning + HOUR / 2);
  expect([other.days[5]!.total, other.days[6]!.total]).toEqual([2, 5]);
});

const atTime = async (time: string, work: () => Promise<void>) => {
  const back = (world.clock.now().getTime() - Date.parse(time)) / 1000;
  world.clock.forward(-back);
  await work().finally(() => world.clock.forward(back));
};

test('days begin at midnight where clocks change', async () => {
  // The 29th of March has 23 hours in Spain.
  await atTime('2026-03-30T10:00:00Z', async () => {
    await sent(Date.parse('2026-03-28T22:30:00Z'), 'delivered', 1);
    await sent(Date.parse('2026-03-28T23:00:00Z'), 'delivered', 1);
    await sent(Date.parse('2026-03-29T21:59:59Z'), 'delivered', 1);
    const query = { from: '2026-03-29T22:00:00.000Z', timeZone: 'Europe/Madrid' };
    const { days } = await person.api(summary.get, { query });
    expect(days.map(({ total }) => total)).toEqual([0, 0, 0, 0, 1, 2, 0]);
    expect(days.slice(4).map(({ from }) => from)).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });
});

test('the last hour of a day with 25 hours is a part of it', async () => {
  await atTime('2026-10-25T22:45:00Z', async () => {
    await sent(Date.parse('2026-10-25T22:30:00Z'), 'delivered', 1);
    const query = { from: '2026-10-24T22:00:00.000Z', timeZone: 'Europe/Madrid' };
    const { days } = await person.api(summary.get, { query });
    expect(days.at(-1)!.total).toBe(1);
  });
});

test('the remaining days follow from the spending of the six days before today', async () => {
  for (let day = 1; day <= 6; day++) await sent(morning - day * DAY + HOUR, 'delivered', 4);
  await sent(morning - 6 * DAY - 1, 'delivered', 500);
  await sent(morning + 1, 'delivered', 3);
  expect((await ask()).money).toEqual({ average: 4, daysLeft: 25 });
});

test('what was given back of a call makes the day of its charge cost less', async () => {
  const restOf = async (origin: string, at: number, amount: number) =>
    world.db.query(
      `insert into billings (id, owner_id, source, amount, origin, origin_id) values ($1, $2, -1, $3, $4, $5)`,
      [uuidv7(new Date(at)), person.id, amount, ORIGIN_CODES.call, origin],
    );
  const before = await sent(morning - 6 * DAY - 1, 'delivered', 60);
  const yesterday = await sent(morning - HOUR, 'delivered', 60);
  await sent(morning - 2 * DAY, 'delivered', 6);
  await restOf(before, morning - 6 * DAY + 1, 50);
  await restOf(yesterday, morning + HOUR, 50);
  const { days, money } = await ask();
  expect(days.map(({ spent }) => spent)).toEqual([0, 0, 0, 0, 6, 10, 0]);
  expect(money).toEqual({ average: 8, daysLeft: 12 });
});

test('a day that costs more than those before it counts as it is so far', async () => {
  for (let day = 1; day <= 6; day++) await sent(morning - day * DAY + HOUR, 'delivered', 4);
  await sent(morning + 1, 'delivered', 50);
  expect((await ask()).money).toEqual({ average: 10.5714, daysLeft: 9 });
});

test('of a young account the days since its creation count', async () => {
  await world.db.query(`update users set created_at = $2 where id = $1`, [
    person.id,
    new Date(morning - 2 * DAY + HOUR),
  ]);
  await sent(morning - DAY + HOUR, 'delivered', 8);
  expect((await ask()).money).toEqual({ average: 4, daysLeft: 25 });
});

test('without spending there are no remaining days; amounts require a permission', async () => {
  expect((await ask()).money).toEqual({ average: 0, daysLeft: null });
  person = await world.person({ grants: { remove: ['billings.find'] } });
  expect((await ask()).money).toBeNull();
});

test.each([morning - 2 * DAY, Date.now() + 2 * HOUR])(
  'a day that is not today is refused',
  async (from) => {
    await expect(ask(from)).rejects.toMatchObject({
      status: 422,
      body: { data: [{ field: 'from' }] },
    });
  },
);

test('an account is counted once in every time zone', async () => {
  const store = world.api.get(SummaryStore, { strict: false });
  const counting = vi.spyOn(store, 'quarters');
  await sent(morning + 1, 'delivered', 3);
  const totals = [];
  for (let n = 0; n < 8; n++) {
    const { days } = await ask(morning - n * (HOUR / 4));
    totals.push(days[6]!.total);
  }
  expect(totals).toEqual(Array.from({ length: 8 }, () => 1));
  expect(counting).toHaveBeenCalledTimes(2);
  counting.mockRestore();
});
