import {
  ADMINISTRATOR_GRANTS,
  billings,
  packageOffers,
  packages,
  sendings,
  tariffs,
  type SendingTask,
  type TariffInput,
} from '@heliograph/contract';
import { documentDay } from '@heliograph/domain';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod';
import { ChargesService } from '../../src/features/billings/charges.service.ts';
import { verifyLedger } from '../../src/features/billings/verify.store.ts';
import { approve, contactList, finished, setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

type Steps = NonNullable<TariffInput['volumeSteps']>;

let world: World;
let administrator: Person;
let owner: Person;
let tariff: string;

beforeAll(async () => {
  world = await World.start();
  // In the middle of a month none ends while a test runs.
  world.clock.forward((dayOf(1, 15).getTime() - Date.now()) / 1000);
  for (let i = 0; i < 2; i++) await world.startWorker();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
beforeEach(async () => {
  await setCarrier(world, {});
  ({ owner, tariff } = await withSteps(STEPS));
});
afterEach(async () => {
  const found = await verifyLedger(world.db);
  if (found.length) throw new Error(`the ledger does not add up: ${JSON.stringify(found)}`);
});
afterAll(() => world.stop());

/** A day of a month before or after this one, at noon in Moscow. */
const dayOf = (months: number, day: number) => {
  const [year = 0, month = 0] = documentDay(world.clock.now()).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, day, 9));
};
const STEPS: Steps = [
  { from: 3, percent: 10 },
  { from: 6, percent: 50 },
];
const PRICE = 2;
const TEXT = 'Your order is ready';
/** Of two segments. */
const LONG = 'x'.repeat(200);
const TARIFF: TariffInput = {
  title: 'Stepped',
  source: 'any',
  isDefault: false,
  rules: [{ action: 'increase', price: PRICE, conditions: [], priority: 0 }],
};
/** An account with a tariff of its own. */
async function withSteps(volumeSteps: Steps): Promise<{ owner: Person; tariff: string }> {
  const person = await world.person({ balance: 100_000 });
  await approve(world, person.id);
  const { id } = await administrator.api(tariffs.create, { body: { ...TARIFF, volumeSteps } });
  await administrator.api(tariffs.assign, {
    params: { id: person.id },
    body: { tariffs: [{ id, priority: 0 }] },
  });
  return { owner: person, tariff: id };
}
let phones = 0;
const phone = () => `+7903${String(phones++).padStart(7, '0')}`;
async function send(text = TEXT, type = 'sms'): Promise<string> {
  const call = { type, recipient: phone(), payload: { sender: 'MIRTEA', text } };
  return ((await owner.api(sendings.create, { body: call as never })) as { id: string }).id;
}
const entry = (id: string) => owner.api(billings.get, { params: { id } });
const priceOf = async (id: string) => (await entry(id)).data.price;
const volume = async (who = owner) => {
  const { data } = await who.api(tariffs.volumes, { query: {} });
  return data[0];
};
const probe = (of: { volume?: number; text?: string; type?: 'sms' | 'voice' } = {}, who = owner) =>
  who.api(tariffs.probe, {
    body: { type: 'sms', sender: 'MIRTEA', recipient: '+79030000000', text: TEXT, ...of },
  });
const bulkBody = (lists: string[]) => ({
  type: 'sms' as const,
  recipient: { include: lists },
  payload: { sender: 'MIRTEA', text: TEXT },
});
const bulk = async (lists: string[]) =>
  (await owner.api(sendings.create, { body: bulkBody(lists) as never })) as z.infer<
    typeof SendingTask
  >;
/** How many entries have which price and step. */
const charged = (who = owner) =>
  world.db.query<{ price: number; step: number; n: number }>(
    `select price[1]::float8 as price, volume_step as step, count(*)::int as n from billings
      where owner_id = $1 and source > 0 group by 1, 2 order by 2`,
    [who.id],
  );

test('each message has the step of what was billed before it, as the probe says, and the bill names it', async () => {
  const prices: unknown[] = [];
  for (let n = 0; n < 7; n++) {
    const probed = await probe();
    const id = await send();
    expect(await priceOf(id)).toBe(probed.price![0]);
    expect(probed.volume).toMatchObject({ units: n });
    prices.push(probed.price![0]);
  }
  expect(prices).toEqual([2, 2, 2, 1.8, 1.8, 1.8, 1]);
  expect(await volume()).toMatchObject({
    TariffId: tariff,
    tariff: 'Stepped',
    units: 7,
    step: STEPS[1],
    next: null,
    left: null,
  });
  const id = await send();
  expect(await entry(id)).toMatchObject({ amount: -1, tariffVersion: 1, volumeStep: STEPS[1] });
  const { meta } = await owner.api(sendings.get, { params: { id }, query: {} });
  expect(meta.billing).toMatchObject({ price: 1, volumeStep: STEPS[1] });
});

test('parts of a text count, and a message is not split between steps', async () => {
  const ids = [await send(LONG), await send(LONG), await send(LONG)];
  expect(await Promise.all(ids.map(priceOf))).toEqual([2, 2, 1.8]);
  expect(await entry(ids[0]!)).not.toHaveProperty('volumeStep');
  expect(await volume()).toMatchObject({ units: 6, step: STEPS[1] });
});

test('the tariff of an account says its steps, and what is left to the next one', async () => {
  await send();
  expect(await volume()).toMatchObject({ units: 1, step: null, next: STEPS[0], left: 2 });
  const { data } = await owner.api(tariffs.find);
  expect(data.map(({ usersTariffs }) => usersTariffs[0]!.volumeSteps)).toEqual([STEPS]);
  const read = await administrator.api(tariffs.volumes, { query: { OwnerId: owner.id } });
  expect(read.data).toMatchObject([{ units: 1 }]);
  expect(new Date(read.data[0]!.endsAt) > world.clock.now()).toBe(true);
  // What a probe states is not what the account has.
  expect(await probe({ volume: 6 })).toMatchObject({ price: [1], amount: 1 });
  expect(await probe({ volume: 5 })).toMatchObject({ price: [1.8], volume: { next: STEPS[1] } });
  expect(await volume()).toMatchObject({ units: 1 });
});

test('calls have no steps and do not count', async () => {
  expect(await probe({ type: 'voice', volume: 6 })).toMatchObject({ price: [2] });
  expect(await probe({ type: 'voice' })).not.toHaveProperty('volume');
});

test('what a package covers is not billed, so it does not count', async () => {
  const offer = { title: 'Two', types: ['sms'] as const, mccmnc: [], units: 2, price: 1 };
  const { id: OfferId } = await administrator.api(packageOffers.create, {
    body: { ...offer, types: ['sms'], currency: 'RUB', days: 30, isActive: true },
  });
  await owner.api(packages.create, { body: { OfferId, price: 1 } });
  const list = await contactList(world, owner.id, 8);
  const estimate = await owner.api(sendings.estimate, { body: bulkBody([list]) as never });
  await finished(owner, (await bulk([list])).id);
  expect(await charged()).toEqual([
    { price: 2, step: 0, n: 3 },
    { price: 1.8, step: 1, n: 3 },
    { price: 2, step: null, n: 2 },
  ]);
  expect(estimate.covered).toMatchObject({ count: 2, toPay: 11.4 });
  expect(await volume()).toMatchObject({ units: 6 });
});

test('a bulk crosses steps, as its estimate says', async () => {
  ({ owner, tariff } = await withSteps([
    { from: 20, percent: 10 },
    { from: 40, percent: 50 },
  ]));
  const list = await contactList(world, owner.id, 50);
  const estimate = await owner.api(sendings.estimate, { body: bulkBody([list]) as never });
  expect(estimate).toMatchObject({ exact: true, amount: 20 * 2 + 20 * 1.8 + 10 });
  const task = await finished(owner, (await bulk([list])).id);
  expect(task.meta.amount).toBe(estimate.amount);
  expect(await charged()).toEqual([
    { price: 2, step: 0, n: 20 },
    { price: 1.8, step: 1, n: 20 },
    { price: 1, step: 2, n: 10 },
  ]);
  // The next one begins where this one ended.
  const next = await contactList(world, owner.id, 10, { first: 100 });
  const later = await owner.api(sendings.estimate, { body: bulkBody([next]) as never });
  expect(later.amount).toBe(10);
});

test('recipients that a bulk has twice do not bring a step nearer', async () => {
  ({ owner, tariff } = await withSteps([{ from: 1003, percent: 50 }]));
  const lists = [
    await contactList(world, owner.id, 1000),
    // Ten of the first list, and five others.
    await contactList(world, owner.id, 15, { first: 990 }),
  ];
  const estimate = await owner.api(sendings.estimate, { body: bulkBody(lists) as never });
  const task = await finished(owner, (await bulk(lists)).id);
  expect(task.meta.counters).toMatchObject({ total: 1005, skipped: { duplicate: 10 } });
  expect(await charged()).toEqual([
    { price: 2, step: 0, n: 1003 },
    { price: 1, step: 1, n: 2 },
  ]);
  expect(task.meta.amount).toBe(estimate.amount);
});

test('however many calls there are at once, as many messages have a step as it has units', async () => {
  ({ owner, tariff } = await withSteps([
    { from: 10, percent: 10 },
    { from: 25, percent: 50 },
  ]));
  const { base } = await world.startApi();
  const call = (at: string) =>
    fetch(`${at}/api/sendings`, {
      method: 'POST',
      headers: { authorization: owner.token, 'content-type': 'application/json' },
      body: JSON.stringify({
        type: 'sms',
        recipient: phone(),
        payload: { sender: 'MIRTEA', text: TEXT },
      }),
    });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => call(n % 2 ? base : world.base)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
  expect(await charged()).toEqual([
    { price: 2, step: 0, n: 10 },
    { price: 1.8, step: 1, n: 15 },
    { price: 1, step: 2, n: 15 },
  ]);
  expect(await volume()).toMatchObject({ units: 40 });
});

test('a refund gives back what was charged, and its units, once', async () => {
  const sent: string[] = [];
  for (let n = 0; n < 4; n++) sent.push(await send());
  expect(await volume()).toMatchObject({ units: 4 });
  const charges = world.api.get(ChargesService);
  const refunds = await Promise.all([1, 2, 3].map(() => charges.refund(sent.slice(2))));
  expect(refunds.flat()).toEqual([{ OwnerId: owner.id, amount: 38_000n }]);
  expect(await volume()).toMatchObject({ units: 2, step: null });
  expect(await priceOf(await send())).toBe(2);
  expect(await priceOf(await send())).toBe(1.8);
});

test('a fallback is priced by the volume of its time', async () => {
  await setCarrier(world, { failed: 1 });
  const call = {
    type: 'viber',
    recipient: phone(),
    payload: { sender: 'MIRTEA', text: TEXT },
    fallbacks: [
      {
        type: 'sms',
        payload: { sender: 'MIRTEA', text: TEXT },
        $options: { onStatus: ['failed'] },
      },
    ],
  };
  for (let n = 0; n < 3; n++) await send();
  const isRefunded = async () => (await volume())!.units === 0;
  await until(isRefunded, 'the refunds of the failed ones');
  await setCarrier(world, { failed: 1 });
  await owner.api(sendings.create, { body: call as never });
  await until(async () => {
    const rows = await world.db.query(
      `select 1 from billings b where b.owner_id = $1 and b.status = 2 and b.source > 0`,
      [owner.id],
    );
    return rows.length === 5;
  }, 'both attempts to be refunded');
  expect(await volume()).toMatchObject({ units: 0 });
});

test('a new version has other steps for the same volume, and one without steps does not count', async () => {
  const replace = async (volumeSteps: Steps | undefined, version: number) => {
    const { volumeSteps: saved } = await administrator.api(tariffs.replace, {
      params: { id: tariff },
      body: { ...TARIFF, ...(volumeSteps && { volumeSteps }) },
    });
    const isInForce = async () => (await probe()).rules[0]!.version === version;
    await until(isInForce, 'the version to be in force');
    return saved;
  };
  for (let n = 0; n < 4; n++) await send();
  await replace([{ from: 4, percent: 25 }], 2);
  const id = await send();
  expect(await entry(id)).toMatchObject({
    tariffVersion: 2,
    volumeStep: { from: 4, percent: 25 },
    data: { price: 1.5 },
  });
  await replace([], 3);
  const plain = await send();
  expect(await priceOf(plain)).toBe(2);
  expect(await entry(plain)).not.toHaveProperty('volumeStep');
  expect(await volume()).toBeUndefined();
  await replace([{ from: 6, percent: 25 }], 4);
  expect(await volume()).toMatchObject({ units: 5, left: 1 });
  // Who does not speak of steps leaves them as they are.
  expect(await replace(undefined, 4)).toEqual([{ from: 6, percent: 25 }]);
  const { data } = await administrator.api(tariffs.versions, { params: { id: tariff }, query: {} });
  expect(data.map(({ volumeSteps }) => volumeSteps.length)).toEqual([1, 0, 1, 2]);
});

test.each([
  [
    'thresholds that fall',
    [
      { from: 5, percent: 5 },
      { from: 4, percent: 6 },
    ],
    '1.from',
    'rising',
  ],
  [
    'two of one threshold',
    [
      { from: 5, percent: 5 },
      { from: 5, percent: 6 },
    ],
    '1.from',
    'rising',
  ],
  [
    'a later one that takes less',
    [
      { from: 5, percent: 5 },
      { from: 6, percent: 5 },
    ],
    '1.percent',
    'rising',
  ],
  ['nothing', [{ from: 5, percent: 0 }], '0.percent', ''],
  ['everything', [{ from: 5, percent: 100 }], '0.percent', ''],
  ['more than two decimals', [{ from: 5, percent: 0.125 }], '0.percent', 'cents'],
  ['from the first unit', [{ from: 0, percent: 5 }], '0.from', ''],
  ['eleven', Array.from({ length: 11 }, (_, i) => ({ from: i + 1, percent: i + 1 })), '', ''],
])('steps with %s are refused', async (_, volumeSteps, path, rule) => {
  const { status, json } = await raw(world, administrator, 'POST', '/tariffs', {
    ...TARIFF,
    volumeSteps,
  });
  expect([status, json.code]).toEqual([422, 'validation']);
  const fault = JSON.stringify(json);
  expect(fault).toContain(['volumeSteps', path].filter(Boolean).join('.'));
  expect(fault).toContain(rule);
});

test('a draft is tried at a volume, and at none of the account', async () => {
  for (let n = 0; n < 4; n++) await send();
  const draft = { source: 'any', rules: TARIFF.rules, volumeSteps: [{ from: 2, percent: 25 }] };
  const ask = (stated?: number) =>
    administrator.api(tariffs.probe, {
      body: {
        OwnerId: owner.id,
        type: 'sms',
        sender: 'MIRTEA',
        recipient: '+79030000000',
        text: TEXT,
        draft,
        ...(stated !== undefined && { volume: stated }),
      },
    });
  expect(await ask()).toMatchObject({ price: [2], volume: { units: 0, step: null } });
  expect(await ask(2)).toMatchObject({ price: [1.5], volume: { units: 2, next: null } });
});

test('verify compares volumes with the ledger', async () => {
  await send();
  const change = (by: number) =>
    world.db.query(`update tariff_volumes set units = units + $2 where owner_id = $1`, [
      owner.id,
      by,
    ]);
  await change(1);
  expect(await verifyLedger(world.db)).toMatchObject([{ id: owner.id }]);
  await change(-1);
  const mark = (hasVolumes: boolean) =>
    world.db.query(`update balances set has_volumes = $2 where owner_id = $1`, [
      owner.id,
      hasVolumes,
    ]);
  await mark(false);
  expect(await verifyLedger(world.db)).toMatchObject([{ id: owner.id }]);
  await mark(true);
});

test('a month begins at nothing, and a refund counts for the month of its charge', async () => {
  const sent: string[] = [];
  for (let n = 0; n < 4; n++) sent.push(await send());
  for (const id of sent) await until(async () => (await state(id)) !== 'pending', 'its submit');
  world.clock.forward((dayOf(1, 15).getTime() - world.clock.now().getTime()) / 1000);
  expect(await volume()).toMatchObject({ units: 0, step: null });
  expect(await priceOf(await send())).toBe(2);
  await world.api.get(ChargesService).refund(sent.slice(3));
  expect(await volume()).toMatchObject({ units: 1 });
  const rows = await world.db.query<{ units: number }>(
    `select units::int as units from tariff_volumes where owner_id = $1 order by month`,
    [owner.id],
  );
  expect(rows.map(({ units }) => units)).toEqual([3, 1]);
});
const state = async (id: string) =>
  (await owner.api(sendings.get, { params: { id }, query: {} })).state.status;
