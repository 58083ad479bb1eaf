import {
  ADMINISTRATOR_GRANTS,
  channels,
  sendings,
  type SendingReceipt,
} from '@heliograph/contract';
import { UNUSED } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DispatchService } from '../../src/features/sendings/dispatch/dispatch.service.ts';
import { DispatchStore } from '../../src/features/sendings/dispatch/dispatch.store.ts';
import { LeasesService } from '../../src/features/sendings/dispatch/leases.service.ts';
import { PRIORITIES } from '../../src/features/sendings/priorities.ts';
import { Carrier } from '../carrier.ts';
import { approve, contactList, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';
import type { INestApplicationContext } from '@nestjs/common';

let world: World;
let workers: INestApplicationContext[];
let administrator: Person;
let first: Person;
let second: Person;

beforeAll(async () => {
  world = await World.start();
  workers = [await world.startWorker(), await world.startWorker()];
  const grants = { add: ADMINISTRATOR_GRANTS };
  administrator = await world.person({ level: 'manager', grants });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false where driver = 'http'`);
  [first, second] = [
    await world.person({ balance: 100_000 }),
    await world.person({ balance: 100_000 }),
  ];
  for (const { id } of [first, second]) await approve(world, id);
});

const payload = { sender: 'MIRTEA', text: 'Hello' };

const limited = async (limits: object, options: object = {}) => {
  const carrier = await Carrier.start(world, ['viber', 'sms'], { connections: 4, ...options });
  await change(carrier, limits);
  return carrier;
};
const change = async ({ name }: Carrier, limits: object) => {
  await administrator.api(channels.update, { params: { channel: name }, body: limits });
  world.forgetChannels();
};
const single = async (who: Person, more: object = {}) => {
  const body = { type: 'viber', payload, recipient: '+79161234567', ...more };
  return ((await who.api(sendings.create, { body: body as never })) as SendingReceipt).id;
};
const bulk = async (who: Person, people: number, more: object = {}) => {
  const recipient = { include: [await contactList(world, who.id, people)] };
  const body = { type: 'viber', payload, recipient, ...more };
  return ((await who.api(sendings.create, { body: body as never })) as { id: string }).id;
};
const pending = async ({ name }: Carrier) => {
  const [row] = await world.db.query<{ n: number }>(
    `select coalesce(sum(size), 0)::int as n from batches where channel = $1 and stage = 0`,
    [name],
  );
  return row!.n;
};
/** When every worker has looked, and nothing is under way. */
const settled = async ({ name }: Carrier) => {
  for (const worker of workers) {
    const dispatch = worker.get(DispatchService, { strict: false });
    await dispatch.dispatch();
    await dispatch.idle();
  }
  await until(async () => {
    const rows = await world.db.query(
      `select 1 from batches where channel = $1 and stage in (1, 2)`,
      [name],
    );
    return rows.length === 0;
  }, 'submits to end');
};

test('a channel is given its burst, and then its rate, of all workers together', async () => {
  const carrier = await limited({ rate: 0.01, burst: 7 });
  await bulk(first, 20);
  await until(async () => (await pending(carrier)) === 13, 'the burst');
  await settled(carrier);
  expect(carrier.taken).toHaveLength(7);
  // The next batch has as many as go at once.
  world.clock.forward(600);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(7);
  world.clock.forward(100);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(14);
  // Not more than a burst, however long nothing went.
  await bulk(first, 20);
  await until(async () => (await pending(carrier)) === 26, 'more of them');
  world.clock.forward(100_000);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(20);
  expect(await problems(world)).toEqual([]);
});

test('what was used at a rate by mistake holds up nothing at the corrected one', async () => {
  const carrier = await limited({ rate: 0.001, burst: 5 });
  await bulk(first, 9);
  await until(async () => (await pending(carrier)) === 4, 'the burst');
  await settled(carrier);
  expect(carrier.taken).toHaveLength(5);
  // The burst is free again in more than an hour, and now in a second.
  await change(carrier, { rate: 5, burst: 5 });
  await settled(carrier);
  world.clock.forward(2);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(9);
});

test('messages count by their segments', async () => {
  const carrier = await limited({ rate: 0.01, burst: 6 });
  const text = 'A long message. '.repeat(20);
  await bulk(first, 9, { type: 'sms', payload: { ...payload, text } });
  await until(async () => (await pending(carrier)) === 7, 'the burst');
  await settled(carrier);
  expect(carrier.taken).toHaveLength(2);
  world.clock.forward(200);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(2);
  world.clock.forward(400);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(4);
});

test('a batch that was written before the rate was set is split to it', async () => {
  const carrier = await limited({}, { maxBatch: 500 });
  await change(carrier, { isActive: false });
  await world.db.query(`update channels set is_active = true where name = $1`, [carrier.name]);
  await administrator.api(channels.update, {
    params: { channel: carrier.name },
    body: { rate: 0.001, burst: 1 },
  });
  world.forgetChannels();
  await single(first);
  await until(() => Promise.resolve(carrier.taken.length === 1), 'the only segment');
  // Written as for a channel without a rate.
  await world.db.query(
    `update channels set rate = null, burst = null, is_active = true where name = $1`,
    [carrier.name],
  );
  await world.db.query(
    `update channel_states set failures = 1, open_until = now() + interval '1 year' where channel = $1`,
    [carrier.name],
  );
  world.forgetChannels();
  await bulk(first, 40);
  await until(async () => (await pending(carrier)) === 40, 'the bulk');
  const batches = await world.db.query(`select 1 from batches where channel = $1 and stage = 0`, [
    carrier.name,
  ]);
  expect(batches).toHaveLength(1);
  await change(carrier, { rate: 0.001, burst: 5 });
  await world.db.query(
    `update channel_states set failures = 0, open_until = null, full_at = 0 where channel = $1`,
    [carrier.name],
  );
  await settled(carrier);
  expect(carrier.taken).toHaveLength(6);
  world.clock.forward(5000);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(11);
  expect(await problems(world)).toEqual([]);
});

test('a day of UTC has its own limit', async () => {
  const carrier = await limited({ perDay: 4 });
  // To the beginning of a day.
  world.clock.forward(86_400 - ((world.clock.now().getTime() / 1000) % 86_400) + 60);
  await bulk(first, 10);
  await until(async () => (await pending(carrier)) === 6, 'the first day');
  await settled(carrier);
  expect(carrier.taken).toHaveLength(4);
  world.clock.forward(3600);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(4);
  world.clock.forward(86_400);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(8);
});

test('a new channel warms up: it is given twice as much on each day of use', async () => {
  const carrier = await limited({ warmUp: 2 });
  // To the beginning of a day.
  world.clock.forward(86_400 - ((world.clock.now().getTime() / 1000) % 86_400) + 60);
  await bulk(first, 20);
  const taken: number[] = [];
  for (const rest of [18, 14, 6]) {
    await until(async () => (await pending(carrier)) === rest, `${rest} to wait`);
    await settled(carrier);
    taken.push(carrier.taken.length);
    world.clock.forward(86_400);
    await settled(carrier);
  }
  expect(taken).toEqual([2, 6, 14]);
  await until(async () => (await pending(carrier)) === 0, 'the fourth day');
});

test('within a rate singles precede bulks, and accounts take turns', async () => {
  const carrier = await limited({ rate: 0.01, burst: 1 });
  await single(first);
  await until(() => Promise.resolve(carrier.taken.length === 1), 'the only segment');
  await bulk(first, 6);
  await until(async () => (await pending(carrier)) === 6, 'the first bulk');
  await bulk(second, 3);
  await until(async () => (await pending(carrier)) === 9, 'the second bulk');
  const id = await single(second);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(1);
  for (let i = 0; i < 5; i++) {
    world.clock.forward(100);
    await settled(carrier);
    expect(carrier.taken).toHaveLength(i + 2);
  }
  const owners = await world.db.query<{ id: string; isFirst: boolean }>(
    `select id, owner_id = $2 as "isFirst" from sendings where id = any($1)`,
    [carrier.taken, first.id],
  );
  const isFirst = new Map(owners.map((row) => [row.id, row.isFirst]));
  expect(carrier.taken[1]).toBe(id);
  // However often a worker begins anew.
  const turns = carrier.taken.slice(2).map((taken) => isFirst.get(taken));
  expect(turns.filter(Boolean)).toHaveLength(2);
});

test('a test of the channel goes at once, and counts', async () => {
  const carrier = await limited({ rate: 0.01, burst: 1 });
  await single(first);
  await until(() => Promise.resolve(carrier.taken.length === 1), 'the only segment');
  const body = { type: 'viber' as const, recipient: '+79001112233', payload };
  await administrator.api(channels.test, { params: { channel: carrier.name }, body });
  await until(() => Promise.resolve(carrier.taken.length === 2), 'the test');
  await single(first);
  world.clock.forward(100);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(2);
  world.clock.forward(100);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(3);
});

test('leases of several workers at the same moment are within the rate', async () => {
  const carrier = await limited({ rate: 0.01, burst: 3 });
  await change(carrier, { isActive: false });
  await world.db.query(`update channels set is_active = false where name = $1`, [carrier.name]);
  const ids = await Promise.all(
    Array.from({ length: 10 }, () =>
      world.db.query<{ id: string }>(
        `insert into batches (owner_id, channel, type, priority, size, segments, first_id, last_id, due_at)
         values ($1, $2, 4, 0, 1, 1, uuidv7(), uuidv7(), now()) returning id`,
        [first.id, carrier.name],
      ),
    ),
  );
  expect(ids).toHaveLength(10);
  await world.db.query(`update channels set is_active = true where name = $1`, [carrier.name]);
  world.forgetChannels();
  const leases = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      workers[i % 2]!.get(LeasesService, { strict: false }).lease(carrier.name, {
        priority: PRIORITIES.bulk,
        except: null,
        messages: 1,
        after: null,
      }),
    ),
  );
  const [row] = await world.db.query<{ n: number }>(
    `select count(*)::int as n from batches where channel = $1 and stage <> 0`,
    [carrier.name],
  );
  expect(row!.n).toBe(3);
  expect(leases.filter(({ waitMs }) => waitMs !== undefined).length).toBeGreaterThan(0);
  await world.db.query(`delete from batches where channel = $1`, [carrier.name]);
});

test('a use that has no day yet is stored as it was read', async () => {
  const { name } = await limited({ rate: 5 });
  const store = world.api.get(DispatchStore, { strict: false });
  await world.db.transaction(async () => {
    const use = await store.lockUse(name);
    await store.setUse(name, { ...use, day: '', fullAt: 1, rate: 5 });
    await store.setLimitUses(name, [{ ...UNUSED, key: 'MIRTEA' }]);
    expect(await store.lockUse(name)).toMatchObject({ day: '', fullAt: 1, rate: 5 });
    const { uses } = await store.limitUses(name, world.clock.now());
    expect(uses.get('MIRTEA')).toMatchObject({ day: '', used: 0 });
  });
});
