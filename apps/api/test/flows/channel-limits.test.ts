import {
  ADMINISTRATOR_GRANTS,
  channels,
  sendings,
  tasks,
  type ApiError,
  type ChannelLimit,
  type SendingReceipt,
} from '@heliograph/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Db } from '../../src/core/db/db.ts';
import { DispatchService } from '../../src/features/sendings/dispatch/dispatch.service.ts';
import { LeasesService } from '../../src/features/sendings/dispatch/leases.service.ts';
import { PRIORITIES } from '../../src/features/sendings/priorities.ts';
import { Carrier } from '../carrier.ts';
import { approve, contactList, problems } from '../factories.ts';
import { statementsOf } from '../statements.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let workers: INestApplicationContext[];
let administrator: Person;
let first: Person;
let second: Person;
/** As many as keep the numbers of the lists of one account apart. */
let phones = 0;

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
  for (const { id } of [first, second]) {
    await approve(world, id);
    await approve(world, id, 'KORIKA');
  }
});

const payload = { sender: 'MIRTEA', text: 'Hello' };
const RUSSIAN = '+79161234567';
const KAZAKH = '+77011234567';

/** Limits as administrators give them. */
type Given = Partial<ChannelLimit>[];
const limited = async (limits: Given, more: object = {}, options: object = {}) => {
  const carrier = await Carrier.start(world, ['viber', 'sms'], { connections: 4, ...options });
  await change(carrier, { limits, ...more });
  return carrier;
};
const change = async ({ name }: Carrier, body: object) => {
  await administrator.api(channels.update, { params: { channel: name }, body });
  world.forgetChannels();
};
const single = async (who: Person, more: object = {}) => {
  const body = { type: 'viber', payload, recipient: RUSSIAN, ...more };
  return ((await who.api(sendings.create, { body: body as never })) as SendingReceipt).id;
};
/** To Russian numbers, and to as many Kazakh ones. */
const bulk = async (who: Person, people: number, kazakhs = 0, more: object = {}) => {
  const list = await contactList(world, who.id, people, { first: (phones += people) });
  await world.db.query(
    `insert into contacts (list_id, phone) select $1, '+7' || (7010000000 + $3 + n)::text from generate_series(1, $2) n`,
    [list, kazakhs, (phones += kazakhs)],
  );
  const body = { type: 'viber', payload, recipient: { include: [list] }, ...more };
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
const takenBy = ({ calls }: Carrier, prefix: string) =>
  calls.flat().filter(({ recipient }) => recipient.startsWith(prefix)).length;
const liveOf = async ({ name }: Carrier) => {
  world.forgetChannels();
  return (await administrator.api(channels.live, { params: { channel: name } })).limits;
};
const lease = (carrier: Carrier, worker = 0) =>
  workers[worker]!.get(LeasesService, { strict: false }).lease(carrier.name, {
    priority: PRIORITIES.bulk,
    except: null,
    messages: 100,
    after: null,
  });

test('a country that has had its limit does not hold up another, within a bulk and without', async () => {
  const carrier = await limited([{ country: 'KZ', rate: 0.01, burst: 3 }]);
  await bulk(first, 20, 10);
  await until(async () => (await pending(carrier)) === 7, 'all but what exceeds the limit');
  await settled(carrier);
  expect([takenBy(carrier, '+79'), takenBy(carrier, '+77')]).toEqual([20, 3]);
  const code = await single(second);
  await until(() => Promise.resolve(carrier.taken.includes(code)), 'the code to another country');
  expect(await liveOf(carrier)).toMatchObject([
    { country: 'KZ', rate: 0.01, allowedNow: 0, usedToday: 3, waiting: 7 },
  ]);
  // In their order, singles first; as many as the limit allows.
  const waiting = await single(second, { recipient: KAZAKH });
  await settled(carrier);
  expect(carrier.taken).not.toContain(waiting);
  world.clock.forward(100);
  await settled(carrier);
  expect(carrier.taken.at(-1)).toBe(waiting);
  expect(takenBy(carrier, '+77')).toBe(4);
  for (let i = 0; i < 4; i++) {
    world.clock.forward(300);
    await settled(carrier);
    expect(takenBy(carrier, '+77')).toBe(Math.min(7 + 3 * i, 11));
  }
  expect(await pending(carrier)).toBe(0);
  expect(await problems(world)).toEqual([]);
});

test('a sender name has its own rate, and other names go on', async () => {
  const carrier = await limited([{ sender: 'Mirtea', rate: 0.01, burst: 2 }]);
  await bulk(first, 10);
  await until(async () => (await pending(carrier)) === 8, 'the burst of the name');
  await bulk(second, 10, 0, { payload: { ...payload, sender: 'KORIKA' } });
  await until(() => Promise.resolve(carrier.taken.length === 12), 'the other name');
  await settled(carrier);
  expect(await pending(carrier)).toBe(8);
  world.clock.forward(200);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(14);
});

test('a message counts against all limits that it meets, and against the rate of the channel', async () => {
  const carrier = await limited(
    [
      { sender: 'MIRTEA', perDay: 4 },
      { mccmnc: '401*', rate: 0.01, burst: 2 },
    ],
    { rate: 0.01, burst: 6 },
  );
  // To the beginning of a day.
  world.clock.forward(86_400 - ((world.clock.now().getTime() / 1000) % 86_400) + 60);
  await bulk(first, 0, 10);
  await until(async () => (await pending(carrier)) === 8, 'the burst of the network');
  await bulk(second, 10);
  await until(async () => (await pending(carrier)) === 16, 'the day of the name');
  await settled(carrier);
  expect([takenBy(carrier, '+79'), takenBy(carrier, '+77')]).toEqual([2, 2]);
  await bulk(second, 10, 0, { payload: { ...payload, sender: 'KORIKA' } });
  await until(async () => (await pending(carrier)) === 26, 'the bulk of another name');
  await settled(carrier);
  // Two of six are free, and a batch of a bulk is as large as the burst.
  expect(carrier.taken).toHaveLength(4);
  world.clock.forward(400);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(10);
  expect(await liveOf(carrier)).toMatchObject([
    { sender: 'MIRTEA', allowedNow: 0, usedToday: 4 },
    { mccmnc: '401*', allowedNow: 2, usedToday: 2 },
  ]);
});

test('leases of several workers at the same moment are within a limit', async () => {
  const carrier = await limited([{ country: 'RU', rate: 0.01, burst: 3 }], {}, { maxBatch: 1 });
  await world.db.query(
    `update channel_states set failures = 1, open_until = now() + interval '1 year' where channel = $1`,
    [carrier.name],
  );
  await world.db.query(
    `insert into channel_states (channel, failures, open_until) values ($1, 1, now() + interval '1 year') on conflict do nothing`,
    [carrier.name],
  );
  for (let n = 0; n < 10; n++) await single(first);
  await until(async () => (await pending(carrier)) === 10, 'all of them');
  await world.db.query(
    `update channel_states set failures = 0, open_until = null where channel = $1`,
    [carrier.name],
  );
  const leases = await Promise.all(Array.from({ length: 8 }, (_, i) => lease(carrier, i % 2)));
  const [row] = await world.db.query<{ n: number }>(
    `select coalesce(sum(size), 0)::int as n from batches where channel = $1 and stage <> 0`,
    [carrier.name],
  );
  expect(row!.n).toBe(3);
  expect(leases.some(({ waitMs }) => waitMs !== undefined)).toBe(true);
});

test('what a killed worker had leased is used, and goes when its lease has ended', async () => {
  const carrier = await limited([{ sender: 'MIRTEA', rate: 0.01, burst: 2 }]);
  await change(carrier, { isActive: false });
  await world.db.query(`update channels set is_active = false where name = $1`, [carrier.name]);
  await change(carrier, { isActive: true });
  await world.db.query(
    `insert into channel_states (channel, failures, open_until) values ($1, 1, now() + interval '1 year')
     on conflict (channel) do update set failures = 1, open_until = excluded.open_until`,
    [carrier.name],
  );
  await bulk(first, 6);
  await until(async () => (await pending(carrier)) === 6, 'the bulk');
  await world.db.query(
    `update channel_states set failures = 0, open_until = null where channel = $1`,
    [carrier.name],
  );
  const { batches } = await lease(carrier);
  const leased = batches.reduce((sum, { size }) => sum + size, 0);
  await settledWithout(
    carrier,
    batches.map(({ id }) => id),
  );
  expect(leased + carrier.taken.length).toBe(2);
  // Long enough for the lease to end, and for the limit to allow two more.
  world.clock.forward(3600);
  await until(() => Promise.resolve(carrier.taken.length >= 2), 'what was leased');
  for (let i = 0; i < 3; i++) {
    world.clock.forward(200);
    await settled(carrier);
  }
  await until(() => Promise.resolve(carrier.taken.length === 6), 'all of them');
  expect(new Set(carrier.taken).size).toBe(6);
  expect(await problems(world)).toEqual([]);
});
const settledWithout = async ({ name }: Carrier, ids: string[]) => {
  await until(async () => {
    const rows = await world.db.query(
      `select 1 from batches where channel = $1 and stage in (1, 2) and id <> all($2)`,
      [name, ids],
    );
    return rows.length === 0;
  }, 'other submits to end');
};

test('limits change while messages wait: what is used stays, and a removed one holds nothing', async () => {
  const carrier = await limited([{ country: 'RU', rate: 0.01, burst: 1 }]);
  await bulk(first, 8);
  await until(async () => (await pending(carrier)) === 7, 'the burst');
  await settled(carrier);
  // One of the larger burst is used still.
  await change(carrier, { limits: [{ country: 'RU', rate: 0.01, burst: 3 }] });
  await settled(carrier);
  expect(carrier.taken).toHaveLength(1);
  world.clock.forward(100);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(4);
  // Another limit with other conditions: what waits counts against it anew.
  await change(carrier, { limits: [{ sender: 'MIRTEA', perDay: 2 }] });
  await until(() => Promise.resolve(carrier.taken.length === 6), 'those of the other limit');
  await settled(carrier);
  expect(carrier.taken).toHaveLength(6);
  await change(carrier, { limits: [] });
  await until(() => Promise.resolve(carrier.taken.length === 8), 'the rest');
  // What was used today of a limit counts when it is set again.
  await change(carrier, { limits: [{ sender: 'MIRTEA', perDay: 5 }] });
  expect(await liveOf(carrier)).toMatchObject([{ usedToday: 2, allowedNow: 3 }]);
});

test('a raised rate of a limit shortens what the former one still holds back', async () => {
  const carrier = await limited([{ country: 'RU', rate: 0.001, burst: 5 }]);
  await bulk(first, 9);
  await until(async () => (await pending(carrier)) === 4, 'the burst');
  await settled(carrier);
  expect(await liveOf(carrier)).toMatchObject([{ allowedNow: 0, waiting: 4 }]);
  await change(carrier, { limits: [{ country: 'RU', rate: 5, burst: 5 }] });
  await settled(carrier);
  world.clock.forward(2);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(9);
});

test('a stopped and a paused bulk wait for nothing, and a test of the channel goes at once', async () => {
  const carrier = await limited([{ country: 'RU', rate: 0.001, burst: 1 }]);
  const id = await bulk(first, 5);
  await until(async () => (await pending(carrier)) === 4, 'the burst');
  await first.api(tasks.update, { params: { id }, body: { state: 'paused' } });
  const body = { type: 'viber' as const, recipient: RUSSIAN, payload };
  await administrator.api(channels.test, { params: { channel: carrier.name }, body });
  await until(() => Promise.resolve(carrier.taken.length === 2), 'the test');
  await first.api(tasks.cancel, { params: { id } });
  await until(async () => (await pending(carrier)) === 0, 'the rest to be dropped');
  expect(carrier.taken).toHaveLength(2);
  expect(await problems(world)).toEqual([]);
});

test('messages of parts count by their segments, and one with more than may go at once goes alone', async () => {
  const carrier = await limited([{ country: 'RU', rate: 0.01, burst: 4 }]);
  const text = 'A long message. '.repeat(20);
  await bulk(first, 5, 0, { type: 'sms', payload: { ...payload, text } });
  await until(async () => (await pending(carrier)) === 4, 'the only one within the burst');
  await settled(carrier);
  expect(carrier.taken).toHaveLength(1);
  world.clock.forward(300);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(2);
  await change(carrier, { limits: [{ country: 'RU', rate: 0.01, burst: 1 }] });
  world.clock.forward(400);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(3);
  // Two segments more than the burst are worked off.
  world.clock.forward(200);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(3);
  world.clock.forward(100);
  await settled(carrier);
  expect(carrier.taken).toHaveLength(4);
});

test('a channel without limits is leased in one statement, and what was marked before goes as all else', async () => {
  const carrier = await limited([{ country: 'RU', perDay: 1 }]);
  await bulk(first, 4);
  await until(async () => (await pending(carrier)) === 3, 'the day of the limit');
  await settled(carrier);
  await change(carrier, { limits: [], isActive: false });
  await world.db.query(`update channels set is_active = false where name = $1`, [carrier.name]);
  world.forgetChannels();
  const db = workers[0]!.get(Db, { strict: false });
  // Known to this process.
  await lease(carrier);
  const statements = await statementsOf(db, () => lease(carrier));
  expect(statements).toBe(1);
  await change(carrier, { isActive: true });
  await until(() => Promise.resolve(carrier.taken.length === 4), 'the rest');
});

test('limits are refused by field', async () => {
  const carrier = await limited([]);
  const refusal = async (limits: Given) => {
    const body = { limits } as never;
    const error = await administrator
      .api(channels.update, { params: { channel: carrier.name }, body })
      .then(() => null)
      .catch((refused: ApiError) => refused);
    return error?.body.data?.map(({ field, type }) => `${field} ${type}`);
  };
  expect(await refusal([{ rate: 1 }])).toEqual(['limits.0.sender one_condition']);
  expect(await refusal([{ sender: 'A' }])).toEqual(['limits.0.rate one_limit']);
  expect(await refusal([{ country: 'XX', rate: 1 }])).toEqual(['limits.0.country country']);
  expect(
    await refusal([
      { sender: 'A', rate: 1 },
      { sender: 'a', perDay: 1 },
    ]),
  ).toEqual(['limits.1.sender same_conditions']);
});
