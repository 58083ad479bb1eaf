import {
  ADMINISTRATOR_GRANTS,
  routes,
  sendings,
  spendCaps,
  tasks,
  tokens,
  users,
  type CarrierReport,
  type SendingReceipt,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Db } from '../../src/core/db/db.ts';
import { ExpandService } from '../../src/features/sendings/audience/expand.service.ts';
import { AwaitedLookupsService } from '../../src/features/sendings/awaited-lookups.service.ts';
import { AwaitedLookupsStore } from '../../src/features/sendings/awaited-lookups.store.ts';
import { IntakeService } from '../../src/features/sendings/intake/intake.service.ts';
import { SubmitService } from '../../src/features/sendings/dispatch/submit.service.ts';
import { RoutedBatchesService } from '../../src/features/sendings/dispatch/routed-batches.service.ts';
import { DeadlinesService } from '../../src/features/sendings/fallbacks/deadlines.service.ts';
import { FallbackService } from '../../src/features/sendings/fallbacks/fallback.service.ts';
import { erasePerson, requestErasure } from '../../src/features/sendings/persons/erase-person.ts';
import { Carrier } from '../carrier.ts';
import { approve, balance, problems } from '../factories.ts';
import { statementsOf } from '../statements.ts';
import { type Person, World } from '../world.ts';

/** Without a worker: each of its steps is taken by the test. */
const MTS = '25001';
const MEGAFON = '25002';
const SINGLE_WAIT = 20;
const BULK_WAIT = 120;
const DAY = 86_400;

let world: World;
let administrator: Person;
let asked: Carrier;
let ofMts: Carrier;
let ofMegafon: Carrier;
let ofViber: Carrier;
let owner: Person;

beforeAll(async () => {
  world = await World.start({ LEASE_SECONDS: '3600' });
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  await world.db.query(`update channels set is_active = false`);
  asked = await Carrier.start(world, ['hlr'], { maxBatch: 100 });
  ofViber = await Carrier.start(world, ['viber']);
  ofMts = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  ofMegafon = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  for (const [operator, { name: ChannelId }] of [
    [MTS, ofMts],
    [MEGAFON, ofMegafon],
  ] as const)
    await administrator.api(routes.create, {
      body: { title: operator, operators: [operator], channels: [{ ChannelId, weight: 1 }] },
    });
  world.forgetChannels();
});
afterAll(async () => {
  await world.stop();
  for (const carrier of [asked, ofViber, ofMts, ofMegafon]) carrier.stop();
});
beforeEach(async () => {
  owner = await account();
});

const service = <T>(type: abstract new (...args: never[]) => T): T =>
  world.api.get(type as never, { strict: false });

/** A new one, of which nothing is cached yet. */
async function account(
  settings: object = { lookupDays: 7, lookupFirst: true },
  funds = 1000,
): Promise<Person> {
  const person = await world.person({ balance: funds });
  await approve(world, person.id);
  const body = settings as never;
  await administrator.api(users.configure, { params: { id: person.id }, body });
  return person;
}

// By its prefix each of them is of MTS.
let next = 79_162_000_000;
const number = () => `+${next++}`;

const payload = { sender: 'MIRTEA', text: 'Hello' };
async function create(who: Person, body: object): Promise<string> {
  return ((await who.api(sendings.create, { body: body as never })) as SendingReceipt).id;
}
const send = (who: Person, recipient: string, more = {}) =>
  create(who, { type: 'sms', payload, recipient, ...more });
async function sendBulk(who: Person, include: string[], more = {}): Promise<string> {
  const id = await create(who, { type: 'sms', payload, recipient: { include }, ...more });
  await service(ExpandService).expand({ taskId: id });
  return id;
}
const lookupsOf = ({ id }: Person) =>
  world.db.query<{ id: string; phone: string; status: number | null; error: string | null }>(
    `select id, phone, status, error from sendings where owner_id = $1 and type = 21 order by id`,
    [id],
  );
const waitsOf = async (ids: string[]): Promise<number> => {
  const rows = await world.db.query(
    `select 1 from lookup_waits w join sendings s on s.id = w.sending_id where s.id = any($1) or s.group_id = any($1)`,
    [ids],
  );
  return rows.length;
};
/** Twice, as what goes another way is submitted by the call of another channel. */
async function submit(): Promise<void> {
  await world.submit();
  await world.submit();
}
async function report(...reports: object[]): Promise<void> {
  const { json } = await asked.report(reports as CarrierReport[]);
  expect(json).toMatchObject({ results: reports.map(() => ({ result: 'applied' })) });
}
const found = (id: string, network: string) => ({
  reference: id,
  status: 'delivered',
  lookup: { network, ported: true },
});
/** Whom a carrier was given, of these. */
const takenBy = (carrier: Carrier, recipients: string[]) =>
  carrier.calls
    .flat()
    .flatMap(({ recipient }) => (recipients.includes(recipient) ? recipient : []));

test('a ported number goes by the network that it is looked up to have', async () => {
  const phone = number();
  const before = await balance(world, owner.id);
  await send(owner, phone);
  await submit();
  expect(takenBy(ofMts, [phone])).toEqual([]);
  const [lookup, ...others] = await lookupsOf(owner);
  expect(others).toEqual([]);
  expect(asked.taken).toContain(lookup!.id);
  expect(await owner.api(sendings.get, { params: { id: lookup!.id } })).toMatchObject({
    type: 'hlr',
    recipient: phone,
    payload: { sender: 'MIRTEA' },
    groupId: null,
  });
  expect(await problems(world)).toEqual([]);
  await report(found(lookup!.id, MEGAFON));
  await submit();
  expect(takenBy(ofMegafon, [phone])).toEqual([phone]);
  expect(takenBy(ofMts, [phone])).toEqual([]);
  // Both are charged.
  const charged = await world.db.query<{ amount: string }>(
    `select amount from billings where owner_id = $1 and source <> -1 order by id`,
    [owner.id],
  );
  expect(charged.every(({ amount }) => Number(amount) < 0)).toBe(true);
  expect(charged).toHaveLength(2);
  const spent = charged.reduce((sum, { amount }) => sum + Number(amount), 0);
  expect(await balance(world, owner.id)).toBeCloseTo(before + spent, 4);
  // What is known is not asked for again, and nothing waits for it.
  await send(owner, phone);
  await submit();
  expect(takenBy(ofMegafon, [phone])).toEqual([phone, phone]);
  expect(await lookupsOf(owner)).toHaveLength(1);
  world.clock.forward(7 * DAY + 1);
  await send(owner, phone);
  expect(await lookupsOf(owner)).toHaveLength(2);
  expect(await problems(world)).toEqual([]);
});

test('without an answer it goes by its prefix when the time is over, and a late one is kept', async () => {
  const phone = number();
  const id = await send(owner, phone);
  await submit();
  world.clock.forward(SINGLE_WAIT - 1);
  await submit();
  expect(takenBy(ofMts, [phone])).toEqual([]);
  world.clock.forward(1);
  await submit();
  expect(takenBy(ofMts, [phone])).toEqual([phone]);
  // It has been asked for, and does not hold up others.
  await send(owner, phone);
  await submit();
  expect(takenBy(ofMts, [phone])).toEqual([phone, phone]);
  const [lookup, ...others] = await lookupsOf(owner);
  expect(others).toEqual([]);
  await report(found(lookup!.id, MEGAFON));
  expect(await waitsOf([id])).toBe(0);
  await send(owner, phone);
  await submit();
  expect(takenBy(ofMegafon, [phone])).toEqual([phone]);
});

test('one look-up is made for a number that several messages wait for', async () => {
  const phone = number();
  const other = number();
  await sendBulk(owner, [phone, other]);
  await Promise.all([send(owner, phone), send(owner, phone)]);
  expect((await lookupsOf(owner)).map((one) => one.phone).sort()).toEqual([phone, other]);
  await submit();
  const byPhone = new Map((await lookupsOf(owner)).map((one) => [one.phone, one.id]));
  await report(found(byPhone.get(phone)!, MEGAFON));
  await submit();
  // The bulk waits for the other number as well.
  expect(takenBy(ofMegafon, [phone])).toEqual([phone, phone]);
  await report(found(byPhone.get(other)!, MTS));
  await submit();
  expect(takenBy(ofMegafon, [phone])).toEqual([phone, phone, phone]);
  expect(takenBy(ofMts, [phone, other])).toEqual([other]);
  expect(await problems(world)).toEqual([]);
});

test('look-ups that end at the same moment release the batch that waits for both', async () => {
  const phones = [number(), number()];
  await sendBulk(owner, phones);
  await submit();
  const lookups = await lookupsOf(owner);
  const store = service(AwaitedLookupsStore);
  const { other } = await world.hold(async () => {
    await store.end([lookups[0]!.id]);
    const other = report(found(lookups[1]!.id, MEGAFON));
    await world.waitedFor('the other report to wait for the batch');
    return { other };
  });
  await other;
  await submit();
  expect([...takenBy(ofMts, phones), ...takenBy(ofMegafon, phones)].sort()).toEqual(phones);
});

test('a bulk goes over several channels by what is found, as if that had been known', async () => {
  const phones = Array.from({ length: 6 }, number);
  const [known, ...others] = phones;
  await send(owner, known!);
  await submit();
  await report(found((await lookupsOf(owner))[0]!.id, MEGAFON));
  await submit();
  const task = await sendBulk(owner, phones);
  // What is known does not wait for the others.
  await submit();
  expect(takenBy(ofMegafon, phones)).toEqual([known, known]);
  const lookups = (await lookupsOf(owner)).slice(1);
  expect(lookups.map(({ phone }) => phone).sort()).toEqual(others);
  const counters = await world.db.query(`select total from task_counters where task_id = $1`, [
    task,
  ]);
  expect(counters).toEqual([{ total: phones.length }]);
  expect(await problems(world)).toEqual([]);
  const ported = others.filter((_, i) => i % 2 === 0);
  const unsaid = others.at(-1)!;
  await report(
    ...lookups.map(({ id, phone }) =>
      phone === unsaid
        ? { reference: id, status: 'failed', code: 'unknown' }
        : found(id, ported.includes(phone) ? MEGAFON : MTS),
    ),
  );
  expect(await waitsOf([task])).toBe(0);
  await submit();
  const goes = (phone: string) => ported.includes(phone) && phone !== unsaid;
  expect(takenBy(ofMegafon, others).sort()).toEqual(others.filter(goes));
  expect(takenBy(ofMts, others).sort()).toEqual(others.filter((phone) => !goes(phone)));
  expect(await problems(world)).toEqual([]);
});

test('a failed look-up is refunded, and the message goes by its prefix at once', async () => {
  const phone = number();
  await send(owner, phone);
  await submit();
  const [lookup] = await lookupsOf(owner);
  const before = await balance(world, owner.id);
  await report({ reference: lookup!.id, status: 'failed', code: 'absent_subscriber' });
  await submit();
  expect(takenBy(ofMts, [phone])).toEqual([phone]);
  expect(await balance(world, owner.id)).toBeGreaterThan(before);
  // It may have been for the moment.
  await send(owner, phone);
  expect(await lookupsOf(owner)).toHaveLength(2);
});

test('an answer that does not say the network counts as one', async () => {
  const phone = number();
  await send(owner, phone);
  await submit();
  await report({ reference: (await lookupsOf(owner))[0]!.id, status: 'delivered' });
  await submit();
  await send(owner, phone);
  await submit();
  expect(takenBy(ofMts, [phone])).toEqual([phone, phone]);
  expect(await lookupsOf(owner)).toHaveLength(1);
  const probe = await administrator.api(routes.probe, {
    body: { OwnerId: owner.id, type: 'sms', sender: 'MIRTEA', recipient: phone } as never,
  });
  expect(probe).toMatchObject({ mccmnc: MTS, lookedUpAt: null });
});

test('nothing is looked up that cannot change the way, or that somebody waits for', async () => {
  const other = await account({ lookupDays: 0, lookupFirst: true });
  await send(other, number());
  await send(await account({ lookupDays: 7 }), number());
  // No route asks for networks of this country.
  await send(owner, '+4915112345678');
  await send(owner, number(), { priority: 'high' });
  const validUntil = new Date(world.clock.now().getTime() + (SINGLE_WAIT - 5) * 1000);
  await send(owner, number(), { schedule: { validUntil: validUntil.toISOString() } });
  await create(owner, { type: 'hlr', recipient: number(), payload: { sender: 'MIRTEA' } });
  await create(owner, { type: 'viber', recipient: number(), payload });
  const testToken = await owner.api(tokens.create, {
    body: { description: 'Tests', isTest: true },
  });
  await world.client(testToken.token)(sendings.create, {
    body: { type: 'sms', payload, recipient: number() } as never,
  });
  const awaited = await world.db.query(`select 1 from awaited_lookups where owner_id = any($1)`, [
    [owner.id, other.id],
  ]);
  expect(awaited).toEqual([]);
});

test('look-ups of a bulk come in batches that their channel takes', async () => {
  const phones = Array.from({ length: 101 }, number);
  await sendBulk(owner, phones);
  const sizes = await world.db.query<{ messages: number }>(
    `select count(*)::int as messages from sendings where owner_id = $1 and type = 21 group by batch_id order by 1`,
    [owner.id],
  );
  expect(sizes.map(({ messages }) => messages)).toEqual([1, 100]);
});

test('where it cannot be paid or made the message goes without, and nothing is refused', async () => {
  const goesAtOnce = async (who: Person) => {
    const phone = number();
    const before = (await lookupsOf(who)).length;
    await send(who, phone);
    await submit();
    expect(takenBy(ofMts, [phone])).toEqual([phone]);
    expect(await lookupsOf(who)).toHaveLength(before);
    expect(await world.db.query(`select 1 from awaited_lookups where phone = $1`, [phone])).toEqual(
      [],
    );
  };
  // What one message costs, and nothing more.
  const full = await account();
  await send(full, number());
  const [sms] = await world.db.query<{ amount: string }>(
    `select amount from sendings where owner_id = $1 and type <> 21`,
    [full.id],
  );
  const price = Number(sms!.amount);
  await goesAtOnce(await account({ lookupDays: 7, lookupFirst: true }, price));
  const capped = await account();
  await capped.api(spendCaps.set, { body: { day: price + 0.01, month: null, timeZone: 'UTC' } });
  await goesAtOnce(capped);
  // No message was refused, so it is told that the cap is near, and not that it is reached.
  const told = await world.db.query(
    `select type from notifications where owner_id = $1 and channel = 'web' and type like 'SpendCap%'`,
    [capped.id],
  );
  expect(told).toEqual([{ type: 'SpendCapWarning' }]);
  const noType = await account({ lookupDays: 7, lookupFirst: true, types: ['sms'] });
  await goesAtOnce(noType);
  const noPrice = await account();
  const [tariff] = await world.db.query<{ id: string }>(
    `with t as (insert into tariffs (title, source) values ('Only sms', 'sms') returning id),
          r as (insert into tariff_rules (tariff_id, action, price, conditions, priority)
                select id, 'increase', array[1::numeric], '[]', 0 from t)
     select id from t`,
  );
  await world.db.query(`update users_tariffs set tariff_id = $2 where owner_id = $1`, [
    noPrice.id,
    tariff!.id,
  ]);
  await goesAtOnce(noPrice);
  await world.db.query(`update channels set is_active = false where name = $1`, [asked.name]);
  world.forgetChannels();
  await goesAtOnce(owner);
  await world.db.query(`update channels set is_active = true where name = $1`, [asked.name]);
  await world.db.query(
    `insert into channel_states (channel, failures, failing_since, open_until) values ($1, 3, $2, $3)
     on conflict (channel) do update set failures = 3, failing_since = $2, open_until = $3`,
    [asked.name, world.clock.now(), new Date(world.clock.now().getTime() + 60_000)],
  );
  world.forgetChannels();
  await goesAtOnce(owner);
  await world.db.query(
    `update channel_states set failures = 0, failing_since = null, open_until = null where channel = $1`,
    [asked.name],
  );
  world.forgetChannels();
  expect(await problems(world)).toEqual([]);
});

test('what another account has found, or waits for, is not used', async () => {
  const phone = number();
  const other = await account();
  for (const who of [owner, other]) await send(who, phone);
  await submit();
  const [own] = await lookupsOf(owner);
  const [foreign] = await lookupsOf(other);
  await report(found(foreign!.id, MEGAFON));
  await submit();
  expect(takenBy(ofMegafon, [phone])).toEqual([phone]);
  expect(takenBy(ofMts, [phone])).toEqual([]);
  await report(found(own!.id, MTS));
  await submit();
  expect(takenBy(ofMts, [phone])).toEqual([phone]);
});

test('a stopped bulk refunds what waits, and its look-ups end as they do', async () => {
  const phones = [number(), number()];
  const before = await balance(world, owner.id);
  const id = await sendBulk(owner, phones);
  await submit();
  await owner.api(tasks.cancel, { params: { id } });
  await service(DeadlinesService).drop({ taskId: id });
  const lookups = await lookupsOf(owner);
  const [price] = await world.db.query<{ amount: string }>(
    `select sum(amount) as amount from sendings where id = any($1)`,
    [lookups.map((one) => one.id)],
  );
  expect(await balance(world, owner.id)).toBeCloseTo(before - Number(price!.amount), 4);
  await report(...lookups.map((one) => found(one.id, MEGAFON)));
  await submit();
  expect([...takenBy(ofMts, phones), ...takenBy(ofMegafon, phones)]).toEqual([]);
  expect(await waitsOf([id])).toBe(0);
  expect(await problems(world)).toEqual([]);
});

test('a paused bulk waits, whatever its look-ups find', async () => {
  const phone = number();
  const id = await sendBulk(owner, [phone]);
  await submit();
  await owner.api(tasks.update, { params: { id }, body: { state: 'paused' } as never });
  await report(found((await lookupsOf(owner))[0]!.id, MEGAFON));
  world.clock.forward(BULK_WAIT);
  await submit();
  expect([...takenBy(ofMts, [phone]), ...takenBy(ofMegafon, [phone])]).toEqual([]);
  await world.db.query(`update tasks set state = 'running' where id = $1`, [id]);
  await submit();
  expect(takenBy(ofMegafon, [phone])).toEqual([phone]);
});

test('a look-up that is not submitted in time is refunded, and a worker that dies repeats none', async () => {
  const phone = number();
  const before = await balance(world, owner.id);
  // The process ends after the insert.
  const id = await send(owner, phone);
  world.clock.forward(SINGLE_WAIT);
  await service(SubmitService).failExpired();
  const [lookup, ...others] = await lookupsOf(owner);
  expect(others).toEqual([]);
  expect(lookup).toMatchObject({ error: 'expired' });
  await submit();
  expect(takenBy(ofMts, [phone])).toEqual([phone]);
  const { meta } = await owner.api(sendings.get, { params: { id } });
  expect(await balance(world, owner.id)).toBeCloseTo(before - meta.billing!.amount, 4);
  // A call that is repeated asks no second time.
  const another = number();
  const key = { 'Idempotency-Key': randomUUID() };
  const call = () =>
    fetch(`${world.base}/api/sendings`, {
      method: 'POST',
      headers: {
        ...key,
        'content-type': 'application/json',
        authorization: `Bearer ${owner.token}`,
      },
      body: JSON.stringify({ type: 'sms', payload, recipient: another }),
    });
  expect((await call()).status).toBe((await call()).status);
  expect(await lookupsOf(owner)).toHaveLength(2);
  expect(await problems(world)).toEqual([]);
});

test('a message with a time is looked up at once, and sent at its time', async () => {
  const phone = number();
  const sendAt = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  await send(owner, phone, { sendAt });
  await submit();
  await report(found((await lookupsOf(owner))[0]!.id, MEGAFON));
  await submit();
  expect([...takenBy(ofMts, [phone]), ...takenBy(ofMegafon, [phone])]).toEqual([]);
  world.clock.forward(3600);
  await submit();
  expect(takenBy(ofMegafon, [phone])).toEqual([phone]);
});

test('fallbacks go by what was found, and look nothing up', async () => {
  const phone = number();
  await send(owner, phone);
  await submit();
  await report(found((await lookupsOf(owner))[0]!.id, MEGAFON));
  const fallbacks = [{ type: 'sms', payload, options: { onStatus: ['failed'] } }];
  ofViber.meanwhile = () => Promise.resolve({ result: 'rejected', code: 'unreachable' });
  const unknown = number();
  for (const recipient of [phone, unknown])
    await create(owner, { type: 'viber', payload, recipient, fallbacks });
  await submit();
  await service(FallbackService).start();
  await submit();
  expect(takenBy(ofMegafon, [phone])).toEqual([phone, phone]);
  expect(takenBy(ofMts, [unknown])).toEqual([unknown]);
  expect(await lookupsOf(owner)).toHaveLength(1);
});

test('a message whose routes change while it waits still goes by what is found', async () => {
  const phones = [number(), number()];
  await sendBulk(owner, phones);
  await submit();
  await world.db.query(`update route_version set version = version + 1`);
  world.forgetChannels();
  while (await service(RoutedBatchesService).routeOutdated());
  await report(...(await lookupsOf(owner)).map((one) => found(one.id, MEGAFON)));
  await submit();
  expect(takenBy(ofMegafon, phones).sort()).toEqual(phones);
});

test('who is erased leaves no look-up behind, and what waits goes when the time is over', async () => {
  const phone = number();
  await send(owner, phone);
  await submit();
  const [lookup] = await lookupsOf(owner);
  const db = world.api.get(Db, { strict: false });
  const erasure = await requestErasure(db, { OwnerId: owner.id, address: phone });
  await erasePerson(db, erasure);
  expect(await world.db.query(`select 1 from awaited_lookups where phone = $1`, [phone])).toEqual(
    [],
  );
  world.clock.forward(SINGLE_WAIT);
  await submit();
  expect(takenBy(ofMts, [phone])).toEqual([phone]);
  await report(found(lookup!.id, MEGAFON));
  const taken = ofMts.calls.flat().find(({ recipient }) => recipient === phone)!;
  await ofMts.report([{ reference: taken.reference, status: 'delivered' }] as CarrierReport[]);
  expect(await erasePerson(db, { ...erasure, isBegun: true })).toMatchObject({ underWay: 0 });
  for (const table of ['found_networks', 'sendings'])
    expect(await world.db.query(`select 1 from ${table} where phone = $1`, [phone])).toEqual([]);
});
test('look-ups that never end are deleted', async () => {
  const phone = number();
  const id = await send(owner, phone);
  world.clock.forward(3 * DAY);
  while (await service(AwaitedLookupsService).deleteOld());
  expect(await world.db.query(`select 1 from awaited_lookups where phone = $1`, [phone])).toEqual(
    [],
  );
  expect(await waitsOf([id])).toBe(0);
});

test('accounts without it make the statements that they made before', async () => {
  // Nothing of what the first message of an account has read is read again.
  const time = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => time.mockRestore());
  const db = world.api.get(Db);
  const without = await account({ lookupDays: 7 });
  const never = await account({});
  const body = { type: 'sms', payload, fallbacks: [], audioSeconds: {}, expiring: [] } as never;
  const countOf = async (who: Person, recipient: string) => {
    const sendOne = () =>
      db.transaction(() => service(IntakeService).send(who.id, body, [recipient], null));
    await sendOne();
    return statementsOf(db, sendOne);
  };
  const [plain, known] = [await countOf(never, number()), await countOf(without, number())];
  // One reads what the account has found.
  expect(known).toBe(plain + 1);
  // No route asks for networks of this country.
  expect(await countOf(owner, '+4915112345679')).toBe(known);
  // The claim, and who waits.
  expect(await countOf(owner, number())).toBe(known + 2);
});
