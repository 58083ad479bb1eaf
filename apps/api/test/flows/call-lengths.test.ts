import {
  ADMINISTRATOR_GRANTS,
  billings,
  sendings,
  spendCaps,
  tariffs,
  tokens,
  type Sending,
  type TariffInput,
} from '@heliograph/contract';
import { documentMonth, type DocumentMonth } from '@heliograph/domain';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Carrier } from '../carrier.ts';
import { approve, balance, problems } from '../factories.ts';
import { uuidTime } from '../../src/core/uuid.ts';
import { Events } from '../../src/core/events/events.ts';
import { BillingsService } from '../../src/features/billings/billings.service.ts';
import { ActsStore } from '../../src/features/documents/invoices/acts.store.ts';
import { MonthlyMinimumsStore } from '../../src/features/monthly-minimums/monthly-minimums.store.ts';
import { verify } from '../../src/verify.ts';
import { randomBy } from '../random.ts';
import { raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

const SENDER = '74951230000';
const BALANCE = 1000;
/** Two seconds by its length. */
const TEXT = 'x'.repeat(28);
type ByLength = NonNullable<TariffInput['rules'][number]['byLength']>;

/** Of a call by 10/5 with a reserve of twenty seconds. */
const COST_OF: Record<number, number> = { 0: 0, 1: 2, 9: 2, 10: 2, 11: 2.5, 15: 2.5, 40: 3 };

let world: World;
let administrator: Person;
let owner: Person;
let carrier: Carrier;

beforeAll(async () => {
  world = await World.start({ LEASE_SECONDS: '3600' });
  // In the middle of a month and of a day none ends while a test runs.
  const { from } = documentMonth(world.clock.now(), 1);
  world.clock.forward((+from - +world.clock.now()) / 1000 + 14 * 86_400 + 12 * 3600);
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  carrier = await Carrier.start(world, ['voice'], { maxBatch: 100 });
  await world.startWorker();
});
beforeEach(async () => {
  carrier.meanwhile = () => Promise.resolve({ result: 'accepted' });
  owner = await world.person({ balance: BALANCE });
  await approve(world, owner.id, SENDER, 'voice');
  await price({ first: 10, interval: 5 });
});
afterEach(async () => {
  const found = await problems(world);
  if (found.length) throw new Error(`the data is not consistent: ${JSON.stringify(found)}`);
});
afterAll(async () => {
  await world.stop();
  carrier.stop();
});

const tariffOf = (byLength?: ByLength): TariffInput => ({
  title: 'Calls',
  source: 'voice',
  isDefault: false,
  rules: [
    {
      action: 'increase',
      price: [1, 0.1],
      conditions: [],
      priority: 0,
      ...(byLength && { byLength }),
    },
  ],
});
async function price(byLength?: ByLength): Promise<string> {
  const { id } = await administrator.api(tariffs.create, { body: tariffOf(byLength) });
  await administrator.api(tariffs.assign, {
    params: { id: owner.id },
    body: { tariffs: [{ id, priority: 0 }] },
  });
  return id;
}
let phones = 0;
const body = (text: string, more: object = {}) =>
  ({
    type: 'voice',
    recipient: `+7904${String(phones++).padStart(7, '0')}`,
    payload: { sender: SENDER, text, tts: 'anna' },
    ...more,
  }) as never;
const get = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });
async function send(text = TEXT, more: object = {}): Promise<string> {
  const { id } = (await owner.api(sendings.create, { body: body(text, more) })) as { id: string };
  await until(async () => (await get(id)).state.status === 'sent', `the submit of ${id}`);
  return id;
}
const now = () => world.clock.now().toISOString();
type Status = 'sent' | 'delivered' | 'seen' | 'failed';
async function report(reference: string, status: Status, seconds?: number): Promise<string> {
  const given = { reference, status, at: now(), ...(seconds !== undefined && { seconds }) };
  const { results } = (await carrier.report([given])).json as { results: { result: string }[] };
  return results[0]!.result;
}
const left = () => balance(world, owner.id);
const given = async () => {
  const { data } = await owner.api(billings.find, { query: { filter: { source: ['accrual'] } } });
  return data.filter(({ meta }) => meta.origin?.type === 'call');
};

test.each([
  // Seconds, what the call costs: 1 and 0.1 a second, for ten at least, and then for each five.
  [0, 0],
  [1, 2],
  [10, 2],
  [11, 2.5],
  [15, 2.5],
  [16, 3],
  // The text is of twenty seconds: nothing beyond the reserve.
  [20, 3],
  [21, 3],
  [3600, 3],
])('a call of %i seconds costs %d', async (seconds, cost) => {
  const id = await send('x'.repeat(14 * 20));
  expect(await left()).toBe(BALANCE - 3);
  expect(await get(id)).toMatchObject({
    meta: {
      billing: { amount: 3, multiplier: 20, call: { first: 10, reserved: 3, seconds: null } },
    },
  });
  expect(await report(id, 'delivered', seconds)).toBe('applied');
  expect(await left()).toBe(BALANCE - cost);
  const { meta, timeline } = await get(id);
  expect(meta.billing).toMatchObject({
    amount: cost,
    refunded: false,
    call: { first: 10, interval: 5, reserved: 3, seconds },
  });
  expect(timeline!.filter(({ amount }) => amount !== null)).toMatchObject([
    { event: 'charged', amount: 3 },
    { event: 'settled', amount: 3 - cost, seconds },
  ]);
  const back = await given();
  expect(back).toMatchObject(
    cost < 3 ? [{ amount: 3 - cost, meta: { origin: { type: 'call', id } } }] : [],
  );
  expect((await owner.api(billings.totals, { query: {} })).data).toEqual([
    { currency: 'RUB', credits: BALANCE, charges: cost, refunds: 3 - cost },
  ]);
});

test('repeated, later and other lengths change nothing', async () => {
  const id = await send();
  const all = await Promise.all([1, 2, 3, 4].map(() => report(id, 'delivered', 0)));
  expect(all.filter((result) => result === 'applied')).toHaveLength(1);
  expect(await report(id, 'delivered', 60)).toBe('ignored');
  expect(await report(id, 'seen', 60)).toBe('applied');
  expect(await report(id, 'failed', 0)).toBe('ignored');
  expect(await left()).toBe(BALANCE);
  expect(await given()).toHaveLength(1);
  expect(await get(id)).toMatchObject({ meta: { billing: { amount: 0, call: { seconds: 0 } } } });
});

test('of several lengths in one request the earliest counts', async () => {
  const id = await send('x'.repeat(14 * 20));
  const at = (ms: number) => new Date(world.clock.now().getTime() - ms).toISOString();
  await carrier.report([
    { reference: id, status: 'delivered', at: at(1), seconds: 20 },
    { reference: id, status: 'delivered', at: at(5), seconds: 3 },
  ]);
  expect((await get(id)).meta.billing).toMatchObject({ amount: 2, call: { seconds: 3 } });
});

test('the length may come after the delivery; until then, or without one, the reserve stays', async () => {
  const id = await send('x'.repeat(14 * 20));
  expect(await report(id, 'delivered')).toBe('applied');
  expect((await get(id)).meta.billing).toMatchObject({ amount: 3, call: { seconds: null } });
  expect(await left()).toBe(BALANCE - 3);
  expect(await report(id, 'delivered', 4)).toBe('applied');
  expect((await get(id)).meta.billing).toMatchObject({ amount: 2, call: { seconds: 4 } });
  expect(await left()).toBe(BALANCE - 2);
});

test('the page of a bulk is told of a length that comes after the delivery', async () => {
  const id = await send();
  await report(id, 'delivered');
  const [group] = await world.db.query<{ id: string }>(`select uuidv7() as id`);
  await world.db.query(`update sendings set group_id = $2 where id = $1`, [id, group!.id]);
  const changed = vi.spyOn(world.api.get(Events), 'changed');
  expect(await report(id, 'delivered', 0)).toBe('applied');
  expect(changed.mock.calls).toContainEqual(['tasks', 'updated', owner.id, group!.id]);
  changed.mockRestore();
  await world.db.query(`update sendings set group_id = null where id = $1`, [id]);
});

test('a length that comes after the delivery locks in the order of reports', async () => {
  const id = await send();
  await report(id, 'delivered');
  const [said] = await world.hold(async () => {
    await world.db.query(`select 1 from sendings where id = $1 for no key update`, [id]);
    const result = report(id, 'delivered', 0);
    await world.waitedFor('the length');
    // As another report of the call does, which has its row.
    await world.db.query(`select 1 from call_charges where sending_id = $1 for update nowait`, [
      id,
    ]);
    return [result];
  });
  expect(await said).toBe('applied');
});

test('the length of what was not delivered decides nothing', async () => {
  const id = await send();
  expect(await report(id, 'sent', 3)).toBe('ignored');
  expect((await get(id)).meta.billing).toMatchObject({ amount: 2, call: { seconds: null } });
  expect(await report(id, 'failed', 3)).toBe('applied');
  expect(await left()).toBe(BALANCE);
  expect((await get(id)).meta.billing).toMatchObject({ refunded: true, call: { seconds: null } });
  // The refund of a late delivery remains.
  expect(await report(id, 'delivered', 3)).toBe('applied');
  expect(await left()).toBe(BALANCE);
  expect(await given()).toEqual([]);
});

test('the length may come before the carrier has answered the submit', async () => {
  const [externalId, later] = [`call-${Date.now()}`, `call-${Date.now()}-2`];
  for (const [reference, withFirst] of [
    [externalId, true],
    [later, false],
  ] as const) {
    carrier.meanwhile = async () => {
      const one = { externalId: reference, status: 'delivered' as const, at: now() };
      await carrier.report([withFirst ? { ...one, seconds: 0 } : one]);
      await carrier.report([{ ...one, seconds: 0 }]);
      return { result: 'accepted', externalId: reference };
    };
    const { id } = (await owner.api(sendings.create, { body: body(TEXT) })) as { id: string };
    await until(async () => (await get(id)).meta.billing?.call?.seconds === 0, 'the length');
    expect((await get(id)).state.status).toBe('delivered');
  }
  expect(await left()).toBe(BALANCE);
});

test.each([[-1], [1.5], [86_401], ['7'], [Number.MAX_SAFE_INTEGER]])(
  'a length of %j is refused',
  async (seconds) => {
    const id = await send();
    expect(await report(id, 'delivered', seconds as number)).toBe('invalid');
    expect((await get(id)).state.status).toBe('sent');
    await report(id, 'delivered');
  },
);

test('a call without a price by length costs what its text says, whatever the carrier reports', async () => {
  await price();
  const id = await send();
  expect(await report(id, 'delivered', 0)).toBe('applied');
  expect(await left()).toBe(BALANCE - 1.2);
  const { billing } = (await get(id)).meta;
  expect(billing).toMatchObject({ amount: 1.2, multiplier: 2 });
  expect(billing).not.toHaveProperty('call');
});

test('a call in progress has the price of its time when the tariff changes', async () => {
  const id = await send();
  await price();
  expect(await report(id, 'delivered', 0)).toBe('applied');
  expect(await left()).toBe(BALANCE);
});

test.each([
  // What the reseller pays, what its customer pays by 1/1, and what a call of three seconds costs then.
  [{ first: 10, interval: 10 }, 2, 2],
  [undefined, 1.2, 1.2],
])(
  'a customer of a reseller that pays by %j has the same intervals',
  async (cost, reserve, final) => {
    const reseller = await world.person({ level: 'reseller', balance: BALANCE });
    const paid = await administrator.api(tariffs.create, { body: tariffOf(cost) });
    await administrator.api(tariffs.assign, {
      params: { id: reseller.id },
      body: { tariffs: [{ id: paid.id, priority: 0 }] },
    });
    owner = await world.person({ resellerId: reseller.id, balance: BALANCE });
    await approve(world, owner.id, SENDER, 'voice');
    const { id } = await reseller.api(tariffs.create, {
      body: tariffOf({ first: 1, interval: 1 }),
    });
    await reseller.api(tariffs.assign, {
      params: { id: owner.id },
      body: { tariffs: [{ id, priority: 9 }] },
    });
    const call = await send();
    expect(await left()).toBe(BALANCE - reserve);
    await report(call, 'delivered', 3);
    expect(await left()).toBe(BALANCE - final);
    // Nothing of a customer's calls is charged to the reseller.
    expect(await balance(world, reseller.id)).toBe(BALANCE);
  },
);

test('any reports in any order leave what the last charge and the first length say', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => send('x'.repeat(14 * 20))));
  const random = randomBy(428);
  const told = new Map<string, { status: Status; seconds?: number }[]>();
  const reports = ids.flatMap((id) =>
    Array.from({ length: 4 }, () => {
      const status = random.of<Status>(['sent', 'delivered', 'seen', 'failed']);
      const seconds = random.of([undefined, 0, 1, 9, 10, 11, 15, 40]);
      told.set(id, [...(told.get(id) ?? []), { status, seconds }]);
      return { id, status, seconds };
    }),
  );
  // Of one call in their order, of all at the same time.
  await Promise.all(
    ids.map(async (id) => {
      for (const one of reports.filter((r) => r.id === id))
        await report(id, one.status, one.seconds);
    }),
  );
  let spent = 0;
  for (const id of ids) {
    const all = told.get(id)!;
    const at = (...statuses: Status[]) => all.findIndex(({ status }) => statuses.includes(status));
    const [delivered, failed] = [at('delivered', 'seen'), at('failed')];
    const isRefunded = failed >= 0 && (delivered < 0 || failed < delivered);
    const { seconds } =
      all.find(
        (r) => (r.status === 'delivered' || r.status === 'seen') && r.seconds !== undefined,
      ) ?? {};
    const { billing } = (await get(id)).meta;
    expect(billing!.refunded).toBe(isRefunded);
    if (isRefunded) continue;
    const cost = seconds === undefined ? 3 : COST_OF[seconds]!;
    expect([all, billing!.amount]).toEqual([all, cost]);
    spent += cost;
  }
  expect(await left()).toBeCloseTo(BALANCE - spent, 4);
});

test('what the ledger says of a call is verified', async () => {
  const id = await send('x'.repeat(14 * 20));
  await report(id, 'delivered', 4);
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
  const costs = 'a call costs what its length says, and at most its reserve';
  expect(await found(`update call_charges set seconds = 11 where sending_id = $1`)).toContain(
    costs,
  );
  expect(await found(`update billings set amount = 0.5 where origin_id = $1`)).toContain(costs);
  expect(await found(`delete from billings where origin_id = $1`)).toContain(costs);
  expect(await found(`update call_charges set estimated = 21 where sending_id = $1`)).toEqual([
    'a call that is charged by its length has its charge',
  ]);
  expect(await found(`delete from call_charges where sending_id = $1`)).toContain(
    'what is given back of a call has its length',
  );
  expect(await found(`update sendings set amount = 3 where id = $1`)).toEqual([
    'a sending has no entry, or one of another amount',
  ]);
  expect(await found(`update sendings set status = 2 where id = $1`)).toContain(
    'the length of a call decided its price, and the call was not delivered',
  );
});

test('an estimate says what calls cost at most', async () => {
  expect(await owner.api(sendings.estimate, { body: body(TEXT) })).toMatchObject({
    amount: 2,
    byLength: true,
  });
  await price();
  const estimate = await until(async () => {
    const one = await owner.api(sendings.estimate, { body: body(TEXT) });
    return one.amount === 1.2 && one;
  }, 'the other price');
  expect(estimate).not.toHaveProperty('byLength');
});

test('a comparison prices calls by what their text says where a tariff has no intervals', async () => {
  const first = await price({ first: 60, interval: 60 });
  const answered = await send('x'.repeat(14 * 12));
  await send('x'.repeat(14 * 12));
  await report(answered, 'delivered', 5);
  const compared = async (byLength?: ByLength) => {
    const { source, rules } = tariffOf(byLength);
    const day = (n: number) => new Date(+world.clock.now() + n * 86_400_000).toISOString();
    const { id } = await administrator.api(tariffs.compare, {
      body: {
        first: { TariffId: first },
        second: { draft: { source, rules } },
        from: day(-1),
        to: day(1),
      },
    });
    const found = await until(async () => {
      const one = await administrator.api(tariffs.comparison, { params: { id }, query: {} });
      return one.state === 'completed' && one;
    }, 'the comparison');
    return found.totals;
  };
  expect(await compared()).toMatchObject([{ billed: 14, first: 14, second: 4.4 }]);
  // Of five seconds, and of twelve.
  expect(await compared({ first: 1, interval: 1 })).toMatchObject([{ first: 14, second: 3.7 }]);
});

test('a spend cap counts what a call costs after all', async () => {
  const cap = { day: 3, month: null, timeZone: 'UTC' };
  await owner.api(spendCaps.set, { body: cap });
  const first = await send();
  expect(await owner.api(sendings.create, { body: body(TEXT) })).toMatchObject({
    cap: { limit: 3, spent: 2 },
  });
  await report(first, 'delivered', 0);
  await send();
  // Also where the ledger is summed, for a token by its own calls.
  await owner.api(spendCaps.set, { body: { ...cap, day: 9 } });
  const { id: TokenId, token } = await owner.api(tokens.create, { body: { description: 'shop' } });
  const { id } = (await world.client(token)(sendings.create, {
    body: body('x'.repeat(14 * 20)),
  })) as { id: string };
  await until(async () => (await get(id)).state.status === 'sent', 'the submit of the token');
  await report(id, 'delivered', 11);
  const spentOf = async (more: object) =>
    (await owner.api(spendCaps.set, { body: { ...cap, day: 9, timeZone: 'Etc/GMT', ...more } }))
      .data;
  expect(await spentOf({})).toMatchObject([{ spent: 4.5 }]);
  expect(await spentOf({ TokenId })).toContainEqual(
    expect.objectContaining({ TokenId, spent: 2.5 }),
  );
});

test.each([
  [{ action: 'decrease', price: [1, 0.1], conditions: [] }],
  [{ action: 'increase', price: 1, conditions: [] }],
  [{ action: 'increase', price: [1, 0.1], conditions: [{ tag: 'type', value: 'sms' }] }],
])('intervals in a rule that is no price of calls are refused: %j', async (rule) => {
  const rules = [{ ...rule, priority: 0, byLength: { first: 1, interval: 1 } }];
  const body = { ...tariffOf(), rules };
  const { status, json } = await raw(world, administrator, 'POST', '/tariffs', body);
  expect(status).toBe(422);
  expect(JSON.stringify(json)).toContain('price_of_calls');
});

test('the intervals are of a version: saved again they make none, and others make one', async () => {
  const id = await price({ first: 60, interval: 1 });
  const { title, source, isDefault } = tariffOf();
  const save = (byLength?: ByLength) =>
    administrator.api(tariffs.replace, {
      params: { id },
      body: { title, source, isDefault, rules: tariffOf(byLength).rules },
    });
  expect(await save({ first: 60, interval: 1 })).toMatchObject({
    version: 1,
    rules: [{ byLength: { first: 60, interval: 1 } }],
  });
  expect(await save({ first: 6, interval: 6 })).toMatchObject({ version: 2 });
  const last = await save();
  expect(last.version).toBe(3);
  expect(last.rules[0]).not.toHaveProperty('byLength');
});

// The last one, as it moves the clock.
test('what is given back in the next month is in its act, and not in that of the charge', async () => {
  const id = await send('x'.repeat(14 * 20));
  const [first, second] = [0, 1].map((n) => documentMonth(uuidTime(id), n)) as [
    DocumentMonth,
    DocumentMonth,
  ];
  const store = world.api.get(ActsStore);
  const due = async ({ from, to }: DocumentMonth) => Number(await store.due(owner.id, from, to));
  expect(await due(first)).toBe(3);
  world.clock.forward((+second.from - +world.clock.now()) / 1000 + 86_400);
  await report(id, 'delivered', 1);
  // Also if it is made now.
  expect(await due(first)).toBe(3);
  // Of an account whose charge no act has stated there is nothing to take back.
  expect(await due(second)).toBe(0);
  await store.count(owner.id, first.day, '0');
  expect(await due(second)).toBe(-1);
  const spent = ({ from, to }: DocumentMonth) =>
    world.api.get(MonthlyMinimumsStore).spent(owner.id, { from, to });
  expect([await spent(first), await spent(second)]).toEqual([20_000n, 0n]);
  const days = [first, second].map(({ from: start, to: end }) => ({ start, end }));
  const sums = await world.api
    .get(BillingsService)
    .daySums(days.map((day) => ({ userId: owner.id, OwnerId: owner.id, ...day })));
  expect(sums.map((sum) => Number(sum.spent)).sort()).toEqual([0, 2]);
});
