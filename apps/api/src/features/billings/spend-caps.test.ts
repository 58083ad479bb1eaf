import {
  otpHandler,
  sendings,
  spendCaps,
  tasks,
  tokens,
  type SpendCapInput,
  type Client,
} from '@heliograph/contract';
import { parseMoney } from '@heliograph/domain';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '../../core/uuid.ts';
import { ExpandService } from '../sendings/audience/expand.service.ts';
import { approve, contactList, setCarrier } from '../../../test/factories.ts';
import { otpStatus, otpWidget } from '../../../test/otp.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { ChargesService } from './charges.service.ts';
import { SpendCapsStore } from './spend-caps.store.ts';
import { verifyLedger } from './verify.store.ts';

let world: World;
let workers: Awaited<ReturnType<World['startWorker']>>[];
let owner: Person;
let price: number;

const payload = { sender: 'MIRTEA', text: 'Your code is 1234' };
const message = { type: 'sms' as const, payload, recipient: '+79020000001' };
const DAY_MS = 86_400_000;

beforeAll(async () => {
  world = await World.start();
  // At noon no day or month ends while a test runs.
  world.clock.forward((DAY_MS * 1.5 - (Date.now() % DAY_MS)) / 1000);
  await setCarrier(world, {});
  workers = [await world.startWorker(), await world.startWorker(), await world.startWorker()];
  owner = await world.person();
  await approve(world, owner.id);
  price = (await owner.api(sendings.estimate, { body: message })).amount;
});
beforeEach(async () => {
  owner = await world.person();
  await approve(world, owner.id);
});
afterEach(async () => {
  const problems = await verifyLedger(world.db);
  if (problems.length) throw new Error(`the ledger does not add up: ${JSON.stringify(problems)}`);
});
afterAll(() => world.stop());

/** Of several messages. */
const cost = (count: number) => Number((price * count).toFixed(4));
const set = (input: Partial<SpendCapInput>, who = owner) =>
  who.api(spendCaps.set, { body: { day: null, month: null, timeZone: 'UTC', ...input } });
const spentOf = async (who = owner) =>
  (await who.api(spendCaps.find, { query: {} })).data.map(({ spent }) => spent);
/** The receipt, also of a refused message. */
async function send(api: Client = owner.api): Promise<{ id: string; code?: string }> {
  try {
    return (await api(sendings.create, { body: message })) as { id: string };
  } catch (error) {
    return (error as { body: { id: string; code: string } }).body;
  }
}
const notified = async (type: string) =>
  (
    await world.db.query<{ data: object }>(
      `select data from notifications where owner_id = $1 and type = $2 order by id`,
      [owner.id, type],
    )
  ).map(({ data }) => data);

test('a message that exceeds a cap is refused with the cap, and a refund gives the cap back', async () => {
  await set({ day: cost(2), month: cost(100) });
  const [first] = [await send(), await send()];
  const { resetsAt } = (await owner.api(spendCaps.find, { query: {} })).data[0]!;
  expect(await send()).toMatchObject({
    status: 'failed',
    code: 'spend_cap_reached',
    cap: {
      TokenId: null,
      period: 'day',
      limit: cost(2),
      spent: cost(2),
      timeZone: 'UTC',
      resetsAt,
    },
  });
  expect(new Date(resetsAt).toISOString()).toMatch(/T00:00:00\.000Z$/);
  const estimate = await owner.api(sendings.estimate, { body: message });
  expect(estimate).toMatchObject({ enough: false, cap: { period: 'day' } });
  await world.api.get(ChargesService).refund([first!.id]);
  await world.api.get(ChargesService).refund([first!.id]);
  expect(await spentOf()).toEqual([price, price]);
  expect((await send()).code).toBeUndefined();
  expect((await send()).code).toBe('spend_cap_reached');
});

test('warns at 80 percent and at 100 percent, once for each', async () => {
  await set({ day: cost(5) });
  for (let i = 0; i < 3; i++) await send();
  expect(await notified('SpendCapWarning')).toEqual([]);
  for (let i = 0; i < 4; i++) await send();
  expect(await notified('SpendCapWarning')).toMatchObject([{ spent: cost(4), currency: 'RUB' }]);
  expect(await notified('SpendCapReached')).toMatchObject([{ spent: cost(5) }]);
  // Raised, the cap warns of the new limit.
  await set({ day: cost(8) });
  for (let i = 0; i < 4; i++) await send();
  expect(await notified('SpendCapReached')).toHaveLength(2);
});

test('a cap of zero refuses every charge and notifies once', async () => {
  await set({ month: 0 });
  expect([await send(), await send()].map(({ code }) => code)).toEqual([
    'spend_cap_reached',
    'spend_cap_reached',
  ]);
  expect(await notified('SpendCapReached')).toHaveLength(1);
  await set({});
  expect((await send()).code).toBeUndefined();
});

test('what was spent before a cap was set counts, and a lowered cap refuses at once', async () => {
  for (let i = 0; i < 3; i++) await send();
  const { data } = await set({ day: cost(3), month: cost(10) });
  expect(data).toMatchObject([{ period: 'day', spent: cost(3) }, { period: 'month' }]);
  expect((await send()).code).toBe('spend_cap_reached');
  await set({ month: price });
  expect((await send()).code).toBe('spend_cap_reached');
  await set({ month: cost(4) });
  expect((await send()).code).toBeUndefined();
});

test('twenty messages at once through two processes never exceed the cap', async () => {
  const other = await world.startApi();
  const apis = [owner.api, world.client(owner.token, other.base)];
  await set({ day: cost(7) });
  const receipts = await Promise.all(Array.from({ length: 20 }, (_, i) => send(apis[i % 2])));
  expect(receipts.filter(({ code }) => !code)).toHaveLength(7);
  expect(receipts.filter(({ code }) => code === 'spend_cap_reached')).toHaveLength(13);
  expect(await spentOf()).toEqual([cost(7)]);
});

test('the cap of a token counts its messages alone, also after a rotation, and ends with the token', async () => {
  const created = await owner.api(tokens.create, { body: { description: 'shop' } });
  const TokenId = created.id;
  await set({ TokenId, day: cost(2) });
  const shop = world.client(created.token);
  await send();
  expect((await send(shop)).code).toBeUndefined();
  expect(await spentOf()).toEqual([price]);
  const rotated = await owner.api(tokens.rotate, {
    params: { id: TokenId },
    body: { overlapDays: 0 },
  });
  const renewed = world.client(rotated.token);
  expect((await send(renewed)).code).toBeUndefined();
  expect(await send(renewed)).toMatchObject({ code: 'spend_cap_reached', cap: { TokenId } });
  expect((await send()).code).toBeUndefined();
  await owner.api(tokens.remove, { params: { id: TokenId } });
  expect(await spentOf()).toEqual([]);
  expect((await send()).code).toBeUndefined();
});

test('codes that are sent again count for the token that has requested the first one', async () => {
  const { id: TokenId, token } = await owner.api(tokens.create, { body: { description: 'shop' } });
  await set({ TokenId, day: 1000 });
  const widgetId = await otpWidget(owner, ['viber'], {}, { numberOfRestart: 2 });
  const recipient = '+79990000000';
  const { requestId } = await world.client(token)(otpHandler.create, {
    body: { widgetId, recipient },
  });
  const [first] = await spentOf();
  expect(first).toBeGreaterThan(0);
  for (const sent of [2, 3]) {
    await otpStatus(world, requestId, 'sent');
    world.clock.forward(61);
    await world.client()(otpHandler.resend, { params: { requestId } });
    expect(await spentOf()).toEqual([Number((first! * sent).toFixed(4))]);
  }
});

describe('a bulk', () => {
  const bulk = async (count: number, delayed = false) => {
    const list = await contactList(world, owner.id, count);
    const at = new Date(world.clock.now().getTime() + 600_000).toISOString();
    const body = {
      ...message,
      recipient: { include: [list] },
      ...(delayed && { schedule: { delay: at } }),
    };
    return (await owner.api(sendings.create, { body: body as never })) as { id: string };
  };
  const stateOf = async (id: string) => {
    const { state, reason, meta } = await owner.api(tasks.get, { params: { id } });
    return { state, reason, total: meta.counters.total };
  };

  test('that the cap does not cover is refused with the cap', async () => {
    await set({ day: cost(9) });
    await expect(bulk(10)).rejects.toMatchObject({
      status: 402,
      body: { code: 'spend_cap_reached', payload: { cap: { limit: cost(9), spent: 0 } } },
    });
  });

  test('pauses where the cap ends while three workers expand it, and continues there when it is raised', async () => {
    const { id } = await bulk(30, true);
    await set({ day: cost(12) });
    await world.db.query(`update tasks set starts_at = null where id = $1`, [id]);
    const paused = await until(async () => {
      await Promise.all(workers.map((w) => w.get(ExpandService).expand({ taskId: id })));
      const task = await stateOf(id);
      return task.state === 'paused' && task;
    }, 'the task to pause');
    expect(paused).toEqual({ state: 'paused', reason: 'spend_cap_reached', total: 12 });
    expect(await spentOf()).toEqual([cost(12)]);
    expect(await notified('SpendCapReached')).toHaveLength(1);
    await set({ day: cost(30) });
    await owner.api(tasks.update, { params: { id }, body: { state: 'scheduled' } });
    const total = await until(async () => {
      const task = await stateOf(id);
      return task.total === 30 && task.total;
    }, 'the rest to be created');
    expect(total).toBe(30);
    expect(await spentOf()).toEqual([cost(30)]);
  });
});

test('a fallback that the cap does not cover ends with the reason', async () => {
  const first = await owner.api(sendings.estimate, { body: { ...message, type: 'viber' } });
  await set({ day: Math.max(first.amount, price) });
  const body = {
    ...message,
    type: 'viber' as const,
    recipient: '+79990000004',
    fallbacks: [
      {
        type: 'sms' as const,
        payload,
        options: { onStatus: [], onTimeout: { timeout: 20, except: ['delivered', 'seen'] } },
      },
    ],
  };
  const { id } = (await owner.api(sendings.create, { body: body as never })) as { id: string };
  await until(
    async () => (await owner.api(sendings.get, { params: { id } })).sentAt,
    'the first attempt to be submitted',
  );
  await set({ day: first.amount });
  world.clock.forward(25);
  const last = await until(async () => {
    const { data } = await owner.api(sendings.find, { query: { filter: { chainId: id } } });
    const fallback = data.find(({ attempt }) => attempt === 1);
    return fallback?.state.status === 'failed' && fallback;
  }, 'the fallback to be refused');
  expect(last.state.code).toBe('spend_cap_reached');
});

describe('periods', () => {
  /** Charges as the engine writes them, at given times. */
  async function charge(times: string[], amount = 1): Promise<string[]> {
    const ids = times.map((time) => uuidv7(new Date(time)));
    await world.db.transaction(async () => {
      for (const id of ids) {
        await world.db.query(
          `insert into billings (id, owner_id, source, amount) values ($1, $2, 1, -$3::numeric)`,
          [id, owner.id, amount],
        );
        const service = world.api.get(ChargesService);
        await service.charge([{ id, OwnerId: owner.id, amount: `${amount}` }]);
      }
    });
    return ids;
  }
  const at = async (time: string) =>
    (await world.api.get(SpendCapsStore).at([owner.id], [new Date(time)])).map(
      ({ startsAt, resetsAt, spent }) => [
        startsAt.toISOString(),
        resetsAt.toISOString(),
        spent === 0n ? 0 : Number(spent / parseMoney(1)),
      ],
    );

  test('midnight of the time zone separates two days, and a refund goes back to its own', async () => {
    await set({ day: 2, timeZone: 'Asia/Tokyo' });
    const [before] = await charge([
      '2026-05-31T14:59:59.999Z',
      '2026-05-31T15:00:00.000Z',
      '2026-05-31T15:00:00.001Z',
    ]);
    expect(await at('2026-05-31T14:00:00Z')).toEqual([
      ['2026-05-30T15:00:00.000Z', '2026-05-31T15:00:00.000Z', 1],
    ]);
    expect(await at('2026-05-31T15:00:00Z')).toEqual([
      ['2026-05-31T15:00:00.000Z', '2026-06-01T15:00:00.000Z', 2],
    ]);
    await expect(charge(['2026-06-01T01:00:00Z'])).rejects.toThrow('spend cap');
    await world.api.get(ChargesService).refund([before!]);
    expect((await at('2026-05-31T14:00:00Z'))[0]![2]).toBe(0);
    expect((await at('2026-05-31T15:00:00Z'))[0]![2]).toBe(2);
  });

  test.each([
    ['Europe/Berlin', '2026-03-29T10:00:00Z', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Berlin', '2026-10-25T10:00:00Z', '2026-10-24T22:00:00.000Z', 25],
    ['America/Sao_Paulo', '2018-11-04T12:00:00Z', '2018-11-04T03:00:00.000Z', 23],
    ['America/Sao_Paulo', '2018-02-17T12:00:00Z', '2018-02-17T02:00:00.000Z', 25],
    // Their first hour comes twice.
    ['Atlantic/Azores', '2026-10-25T12:00:00Z', '2026-10-25T00:00:00.000Z', 25],
    ['America/Havana', '2026-11-01T04:30:00Z', '2026-11-01T04:00:00.000Z', 25],
    ['Australia/Lord_Howe', '2026-10-04T03:00:00Z', '2026-10-03T13:30:00.000Z', 23.5],
  ])('a day of %s at %s has its own length', async (timeZone, time, start, hours) => {
    await set({ day: 5, timeZone });
    const end = new Date(Date.parse(start) + hours * 3_600_000).toISOString();
    const last = new Date(Date.parse(end) - 1).toISOString();
    await charge([start, time, last, end]);
    expect(await at(time)).toEqual([[start, end, 3]]);
    expect((await at(end))[0]).toEqual([end, expect.any(String), 1]);
  });

  test('another time zone sums the ledger anew', async () => {
    await set({ month: 10, timeZone: 'UTC' });
    await charge(['2026-02-28T23:00:00Z', '2026-03-01T01:00:00Z']);
    expect((await at('2026-03-01T12:00:00Z'))[0]![2]).toBe(1);
    await set({ month: 10, timeZone: 'Europe/Moscow' });
    expect((await at('2026-03-01T12:00:00Z'))[0]).toEqual([
      '2026-02-28T21:00:00.000Z',
      '2026-03-31T21:00:00.000Z',
      2,
    ]);
  });
});

test('only the account holder and who manages the account set caps, in a session and with valid values', async () => {
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const { data } = await set({ OwnerId: owner.id, day: 5 }, manager);
  expect(data).toMatchObject([{ OwnerId: owner.id, limit: 5 }]);
  const stranger = await world.person();
  const foreignCaps = stranger.api(spendCaps.find, { query: { OwnerId: owner.id } });
  await expect(foreignCaps).rejects.toMatchObject({ status: 404 });
  await expect(set({ OwnerId: owner.id, day: 5 }, stranger)).rejects.toMatchObject({ status: 404 });
  const foreign = await stranger.api(tokens.create, { body: { description: 'theirs' } });
  await expect(set({ TokenId: foreign.id, day: 5 })).rejects.toMatchObject({ status: 404 });
  const sub = await world.person();
  await world.db.query(`update users set owner_id = $2, role = 'owner' where id = $1`, [
    sub.id,
    owner.id,
  ]);
  const subUser = world.client(await world.login(sub.username));
  const body = { day: 9, month: null, timeZone: 'UTC' };
  await expect(subUser(spendCaps.set, { body })).rejects.toMatchObject({ status: 403 });
  // Its entry of the ledger is that of an account holder.
  await world.db.query(`update users set owner_id = id, role = null where id = $1`, [sub.id]);
  const { token } = await owner.api(tokens.create, { body: { description: 'mine' } });
  await expect(world.client(token)(spendCaps.set, { body })).rejects.toMatchObject({
    status: 403,
    body: { code: 'session_required' },
  });
  for (const [wrong, field] of [
    [{ day: -1 }, 'day'],
    [{ day: 0.00001 }, 'day'],
    [{ month: 1e12 }, 'month'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
  ] as const)
    await expect(set(wrong)).rejects.toMatchObject({ status: 422, body: { data: [{ field }] } });
});
