import {
  ADMINISTRATOR_GRANTS,
  margins,
  purchasePrices,
  sendings,
  tariffs,
  type Sending,
} from '@heliograph/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verify } from '../../src/verify.ts';
import { Carrier } from '../carrier.ts';
import { approve, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

const SENDER = '74951230000';
/** Twenty seconds by its length. */
const TEXT = 'x'.repeat(14 * 20);
/** Of a minute, by 10/5: so much is a second. */
const PER_MINUTE = 0.6;
const SECOND = 0.01;

let world: World;
let administrator: Person;
let owner: Person;
let carrier: Carrier;

beforeAll(async () => {
  world = await World.start({ LEASE_SECONDS: '3600' });
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  carrier = await Carrier.start(world, ['voice'], { maxBatch: 100 });
  await administrator.api(purchasePrices.create, {
    params: { channel: carrier.name },
    body: {
      currency: 'RUB',
      validFrom: '2020-01-01T00:00:00.000Z',
      prices: [
        {
          type: 'voice',
          destination: '*',
          price: PER_MINUTE,
          byLength: { first: 10, interval: 5 },
        },
        { type: 'voice', destination: 'KZ', price: 0.25 },
      ],
    },
  });
  await world.startWorker();
});
beforeEach(async () => {
  carrier.meanwhile = () => Promise.resolve({ result: 'accepted' });
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id, SENDER, 'voice');
  await price({ first: 60, interval: 1 });
});
afterEach(async () => {
  const found = await problems(world);
  if (found.length) throw new Error(`the data is not consistent: ${JSON.stringify(found)}`);
});
afterAll(async () => {
  await world.stop();
  carrier.stop();
});

async function price(byLength?: { first: number; interval: number }): Promise<void> {
  const rule = { action: 'increase' as const, price: [1, 0.1], conditions: [], priority: 0 };
  const { id } = await administrator.api(tariffs.create, {
    body: {
      title: 'Calls',
      source: 'voice',
      isDefault: false,
      rules: [{ ...rule, ...(byLength && { byLength }) }],
    },
  });
  await administrator.api(tariffs.assign, {
    params: { id: owner.id },
    body: { tariffs: [{ id, priority: 0 }] },
  });
}

let phones = 0;
const get = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });
async function create(prefix = '+7904', text = TEXT): Promise<string> {
  const body = {
    type: 'voice',
    recipient: `${prefix}${String(phones++).padStart(7, '0')}`,
    payload: { sender: SENDER, text, tts: 'anna' },
  } as never;
  return ((await owner.api(sendings.create, { body })) as { id: string }).id;
}
async function send(...given: Parameters<typeof create>): Promise<string> {
  const id = await create(...given);
  await until(async () => (await get(id)).state.status === 'sent', `the submit of ${id}`);
  return id;
}
const now = () => world.clock.now().toISOString();
async function report(reference: string, status: 'delivered' | 'seen' | 'failed', told?: number) {
  const given = { reference, status, at: now(), ...(told !== undefined && { seconds: told }) };
  const { results } = (await carrier.report([given])).json as { results: { result: string }[] };
  return results[0]!.result;
}
/** What the owner's calls have cost, and the seconds, or calls, that the carrier bills. */
async function cost() {
  const day = (n: number) =>
    new Date(+world.clock.now() + n * 86_400_000).toISOString().slice(0, 10);
  const { totals } = await administrator.api(margins.get, {
    query: { from: day(-1), to: day(1), OwnerId: owner.id },
  });
  const [{ messages, units, cost: sum }] = totals as [(typeof totals)[number]];
  return { messages, units, cost: sum };
}
const of = (seconds: number, messages = 1) => ({
  messages,
  units: seconds,
  cost: Number((seconds * SECOND).toFixed(6)),
});

test.each([
  [0, 0],
  [1, 10],
  [10, 10],
  [11, 15],
  // More than the text has: the carrier bills the line, not the text.
  [21, 25],
  [3600, 3600],
])('a call of %i seconds costs the price of %i', async (told, billed) => {
  const id = await send();
  expect(await cost()).toEqual(of(20));
  expect(await report(id, 'delivered', told)).toBe('applied');
  expect(await cost()).toEqual(of(billed));
});

test('the price of a minute that has no even seconds is summed without an error of each call', async () => {
  const channel = carrier.name;
  const { id: list } = await administrator.api(purchasePrices.create, {
    params: { channel },
    body: {
      currency: 'RUB',
      prices: [
        { type: 'voice', destination: '*', price: 0.01, byLength: { first: 1, interval: 1 } },
      ],
    },
  });
  try {
    await until(async () => {
      const id = await send();
      const [row] = await world.db.query<{ price: number }>(
        `select price::float8 as price from call_costs where sending_id = $1`,
        [id],
      );
      await report(id, 'delivered', 0);
      return row?.price === 0.01;
    }, 'the new list');
    const before = (await cost()).cost!;
    for (const id of [await send(), await send(), await send()]) await report(id, 'delivered', 20);
    expect((await cost()).cost).toBeCloseTo(before + 0.01, 6);
  } finally {
    await administrator.api(purchasePrices.remove, { params: { channel, id: list } });
  }
  await until(async () => {
    const id = await send();
    await report(id, 'delivered', 1);
    const [row] = await world.db.query<{ price: number }>(
      `select price::float8 as price from call_costs where sending_id = $1`,
      [id],
    );
    return row?.price === PER_MINUTE;
  }, 'the former list');
});

test('a length counts once, whatever is reported later', async () => {
  const id = await send();
  await Promise.all([1, 2, 3, 4].map(() => report(id, 'delivered', 11)));
  await report(id, 'delivered', 60);
  await report(id, 'seen', 60);
  await report(id, 'failed');
  expect(await cost()).toEqual(of(15));
});

test('without a length the cost of the text stays; a length may come after the delivery', async () => {
  const id = await send();
  await report(id, 'delivered');
  expect(await cost()).toEqual(of(20));
  await report(id, 'delivered', 3);
  expect(await cost()).toEqual(of(10));
});

test('a call that failed costs nothing, and what its length says if it was answered after all', async () => {
  const id = await send();
  await report(id, 'failed');
  expect(await cost()).toEqual(of(0));
  await report(id, 'delivered', 11);
  expect(await cost()).toEqual(of(15));
});

test('a call that failed and was answered after all costs its text until a length is told', async () => {
  const id = await send();
  await report(id, 'failed');
  await report(id, 'delivered');
  expect(await cost()).toEqual(of(20));
  await report(id, 'seen');
  expect(await cost()).toEqual(of(20));
  await report(id, 'seen', 11);
  expect(await cost()).toEqual(of(15));
});

test('the carrier bills the length also where the account pays by the text', async () => {
  await price();
  const id = await send('+7904', 'x'.repeat(28));
  // Two seconds.
  expect(await cost()).toEqual(of(10));
  await report(id, 'delivered', 16);
  expect(await cost()).toEqual(of(20));
  expect((await get(id)).meta.billing).toMatchObject({ amount: 1.2, multiplier: 2 });
});

test('a price without intervals is that of a call, whatever its length', async () => {
  const id = await send('+7701');
  const whole = { messages: 1, units: 1, cost: 0.25 };
  expect(await cost()).toEqual(whole);
  await report(id, 'delivered', 600);
  expect(await cost()).toEqual(whole);
});

test.each([
  ['a length', [['delivered', 11]], 15],
  ['no length', [['delivered']], 20],
  ['a failure', [['failed']], 0],
  ['an answer after a failure', [['failed'], ['delivered']], 20],
] as const)('%s may be reported before the submit is recorded', async (_, reports, billed) => {
  carrier.meanwhile = async ({ reference }) => {
    for (const [status, told] of reports) await report(reference, status, told);
    return { result: 'accepted' };
  };
  await create();
  await until(async () => {
    const [row] = await world.db.query(`select 1 from message_costs where owner_id = $1`, [
      owner.id,
    ]);
    return row;
  }, 'the cost');
  expect(await cost()).toEqual(of(billed));
});

test('what is noted of calls is verified', async () => {
  const id = await send();
  await report(id, 'delivered', 11);
  const found = async (sql: string): Promise<string[]> => {
    const taken = new Error('taken back');
    let names: string[] = [];
    await world.db
      .transaction(async () => {
        await world.db.query(sql, [id]);
        names = (await verify(world.db)).map(({ what }) => what);
        throw taken;
      })
      .catch((error: unknown) => {
        if (error !== taken) throw error;
      });
    return names;
  };
  expect(await found(`update call_costs set seconds = 16 where sending_id = $1`)).toEqual([
    'the noted seconds of a call are not what its length says',
  ]);
  const ofBatch = `batch_id = (select batch_id from sendings where id = $1)`;
  const sums = 'what calls of a batch cost is not noted';
  expect(await found(`update message_costs set units = units + 1 where ${ofBatch}`)).toEqual([
    sums,
  ]);
  expect(await found(`delete from message_costs where ${ofBatch}`)).toEqual([sums]);
  expect(await found(`delete from call_costs where sending_id = $1`)).toEqual([sums]);
});
