import {
  ADMINISTRATOR_GRANTS,
  routes,
  sendings,
  users,
  type CarrierReport,
  type SendingReceipt,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setAccount } from '../../src/set-account.ts';
import { Db } from '../../src/core/db/db.ts';
import { erasePerson, requestErasure } from '../../src/features/sendings/persons/erase-person.ts';
import { FoundNetworksService } from '../../src/features/sendings/found-networks.service.ts';
import { FoundNetworksStore } from '../../src/features/sendings/found-networks.store.ts';
import { Carrier } from '../carrier.ts';
import { approve, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

const DAY = 86_400;
const MTS = '25001';
const MEGAFON = '25002';

let world: World;
let administrator: Person;
let asked: Carrier;
let usual: Carrier;
let ofMts: Carrier;
let ofMegafon: Carrier;
let ofViber: Carrier;
let owner: Person;

beforeAll(async () => {
  // No lease ends because a test moves the clock.
  world = await World.start({ LEASE_SECONDS: '3600' });
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  asked = await Carrier.start(world, ['hlr']);
  ofViber = await Carrier.start(world, ['viber']);
  ofViber.meanwhile = () => Promise.resolve({ result: 'rejected', code: 'unreachable' });
  usual = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  ofMts = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  ofMegafon = await Carrier.start(world, ['sms'], { maxBatch: 100 });
  await world.db.query(`update channels set priority = 20 where name = $1`, [usual.name]);
  world.forgetChannels();
  await world.startWorker();
  await addRoutes();
});
afterAll(async () => {
  await world.stop();
  for (const carrier of [asked, ofViber, usual, ofMts, ofMegafon]) carrier.stop();
});
beforeEach(async () => {
  owner = await account(7);
});

async function addRoutes(): Promise<void> {
  for (const [operator, { name: ChannelId }] of [
    [MTS, ofMts],
    [MEGAFON, ofMegafon],
  ] as const)
    await administrator.api(routes.create, {
      body: { title: operator, operators: [operator], channels: [{ ChannelId, weight: 1 }] },
    });
  world.forgetChannels();
}
async function removeRoutes(): Promise<void> {
  const { data } = await administrator.api(routes.find, { query: { limit: 100 } });
  for (const { id } of data) await administrator.api(routes.remove, { params: { id } });
  world.forgetChannels();
}

/** A new one, of which nothing is cached yet. */
async function account(lookupDays: number): Promise<Person> {
  const person = await world.person({ balance: 100_000 });
  await approve(world, person.id);
  const body = { lookupDays } as never;
  await administrator.api(users.configure, { params: { id: person.id }, body });
  return person;
}

// By its prefix each of them is of MTS.
let next = 79_161_000_000;
const number = () => `+${next++}`;

const payload = { sender: 'MIRTEA', text: 'Hello' };
async function create(who: Person, body: object): Promise<string> {
  return ((await who.api(sendings.create, { body: body as never })) as SendingReceipt).id;
}
const send = (who: Person, recipient: string) => create(who, { type: 'sms', payload, recipient });
async function ask(who: Person, recipient: string): Promise<string> {
  const id = await create(who, { type: 'hlr', recipient, payload: { sender: 'TEA' } });
  await until(async () => {
    const { state } = await who.api(sendings.get, { params: { id } });
    return state.status === 'sent';
  }, 'the submit of the look-up');
  return id;
}
async function answer(id: string, network: string | undefined): Promise<void> {
  const report = { reference: id, status: 'delivered', lookup: { network, ported: true } };
  const { json } = await asked.report([report] as CarrierReport[]);
  expect(json).toMatchObject({ results: [{ result: 'applied' }] });
}
const lookUp = async (who: Person, recipient: string, network: string) =>
  answer(await ask(who, recipient), network);
const probe = (who: Person, recipient: string) =>
  administrator.api(routes.probe, {
    body: { OwnerId: who.id, type: 'sms', sender: 'MIRTEA', recipient } as never,
  });
const takenBy = (carrier: Carrier, recipients: string[]) =>
  carrier.calls.flat().filter(({ recipient }) => recipients.includes(recipient)).length;
const isAt = (carrier: Carrier, recipient: string) =>
  until(() => Promise.resolve(takenBy(carrier, [recipient]) > 0), `the submit to ${recipient}`);
const foundOf = async ({ id }: Person) =>
  world.db.query<{ phone: string; network: string }>(
    `select phone, network from found_networks where owner_id = $1 order by phone`,
    [id],
  );

test('a bulk goes over two channels by the networks that were looked up, and by prefixes without', async () => {
  const ported = [number(), number(), number()];
  const stayed = [number(), number()];
  const unasked = [number(), number(), number(), number()];
  for (const phone of ported) await lookUp(owner, phone, MEGAFON);
  for (const phone of stayed) await lookUp(owner, phone, MTS);
  const include = [...ported, ...stayed, ...unasked];
  await create(owner, { type: 'sms', payload, recipient: { include } });
  for (const phone of ported) await isAt(ofMegafon, phone);
  for (const phone of [...stayed, ...unasked]) await isAt(ofMts, phone);
  expect(takenBy(ofMegafon, include)).toBe(ported.length);
  expect(takenBy(ofMts, include)).toBe(stayed.length + unasked.length);
  expect(await problems(world)).toEqual([]);
});

test('the probe says which network a number has, and since when that is known', async () => {
  const phone = number();
  const before = await probe(owner, phone);
  expect(before).toMatchObject({ mccmnc: MTS, lookedUpAt: null, channel: ofMts.name });
  const begun = world.clock.now().getTime();
  await lookUp(owner, phone, MEGAFON);
  const after = await probe(owner, phone);
  expect(after).toMatchObject({ country: 'RU', mccmnc: MEGAFON, channel: ofMegafon.name });
  expect(after.operator).not.toBe(before.operator);
  const lookedUpAt = new Date(after.lookedUpAt!).getTime();
  expect(lookedUpAt).toBeGreaterThanOrEqual(begun);
  expect(lookedUpAt).toBeLessThanOrEqual(world.clock.now().getTime());
  // The price is that of the prefix.
  expect(after.amount).toBe(before.amount);
  // The last look-up counts.
  await lookUp(owner, phone, MTS);
  expect(await probe(owner, phone)).toMatchObject({ mccmnc: MTS, channel: ofMts.name });
  // One that does not say the network leaves what is known.
  await lookUp(owner, phone, MEGAFON);
  await answer(await ask(owner, phone), undefined);
  expect(await probe(owner, phone)).toMatchObject({ mccmnc: MEGAFON });
});

test('a network that is not in the table keeps the country of the number', async () => {
  const phone = number();
  await lookUp(owner, phone, '79999');
  expect(await probe(owner, phone)).toMatchObject({
    country: 'RU',
    mccmnc: '79999',
    operator: null,
    route: null,
  });
});

test('no account is routed by what another has looked up, or by its own if it does not want that', async () => {
  const phone = number();
  const [other, without] = [await account(30), await account(0)];
  await lookUp(owner, phone, MEGAFON);
  await lookUp(without, phone, MEGAFON);
  expect(await foundOf(owner)).toEqual([{ phone, network: MEGAFON }]);
  expect(await foundOf(other)).toEqual([]);
  expect(await foundOf(without)).toEqual([]);
  const [id, ...others] = [
    await send(owner, phone),
    await send(other, phone),
    await send(without, phone),
  ];
  await until(
    () => Promise.resolve(takenBy(ofMegafon, [phone]) + takenBy(ofMts, [phone]) === 3),
    'the submits',
  );
  expect(ofMegafon.taken).toContain(id);
  expect(ofMts.taken).toEqual(expect.arrayContaining(others));
});

test('messages that wait and fallbacks go by it, too', async () => {
  const phone = number();
  await lookUp(owner, phone, MEGAFON);
  const fallbacks = [{ type: 'sms', payload, options: { onStatus: ['failed'] } }];
  const viber = { sender: 'MIRTEA', text: 'Hello' };
  await create(owner, { type: 'viber', payload: viber, recipient: phone, fallbacks });
  await isAt(ofMegafon, phone);

  const waiting = number();
  await lookUp(owner, waiting, MEGAFON);
  await removeRoutes();
  await world.db.query(`update channels set is_active = false where name = $1`, [usual.name]);
  await world.db.query(`update channels set rate = 0.001, burst = 1 where name = $1`, [ofMts.name]);
  await world.db.query(
    `insert into channel_states (channel, full_at) values ($1, $2) on conflict (channel) do update set full_at = excluded.full_at`,
    [ofMts.name, world.clock.now().getTime() + 1e9],
  );
  await world.db.query(`update channels set priority = 30 where name = $1`, [ofMts.name]);
  world.forgetChannels();
  const id = await send(owner, waiting);
  const [row] = await world.db.query<{ channel: string }>(
    `select b.channel from batches b join sendings s on s.batch_id = b.id where s.id = $1`,
    [id],
  );
  expect(row!.channel).toBe(ofMts.name);
  await addRoutes();
  await isAt(ofMegafon, waiting);
  expect(takenBy(ofMts, [waiting])).toBe(0);
  await world.db.query(
    `update channels set rate = null, burst = null, priority = 10 where name = $1`,
    [ofMts.name],
  );
  await world.db.query(`update channel_states set full_at = 0 where channel = $1`, [ofMts.name]);
  await world.db.query(`update channels set is_active = true where name = $1`, [usual.name]);
  world.forgetChannels();
});

test('who is erased leaves nothing, also of a look-up that was under way', async () => {
  const phone = number();
  const other = await account(7);
  for (const who of [owner, other]) await lookUp(who, phone, MEGAFON);
  const underWay = await ask(owner, phone);
  const db = world.api.get(Db, { strict: false });
  const erasure = await requestErasure(db, { OwnerId: owner.id, address: phone });
  expect(await erasePerson(db, erasure)).toMatchObject({ underWay: 1 });
  expect(await foundOf(owner)).toEqual([]);
  await answer(underWay, MTS);
  expect(await foundOf(owner)).toHaveLength(1);
  expect(await erasePerson(db, { ...erasure, isBegun: true })).toMatchObject({ underWay: 0 });
  expect(await foundOf(owner)).toEqual([]);
  expect(await foundOf(other)).toHaveLength(1);
});

test('each account keeps a limited number, the newest', async () => {
  await world.db.query(`delete from found_networks`);
  const store = world.api.get(FoundNetworksStore, { strict: false });
  const other = await account(7);
  const phones = [number(), number(), number(), number()];
  const now = world.clock.now().getTime();
  for (const [i, phone] of phones.entries())
    await store.keep([{ OwnerId: owner.id, phone, network: MTS }], new Date(now + i));
  await store.keep([{ OwnerId: other.id, phone: phones[0]!, network: MTS }], new Date(now));
  expect(await store.deleteBeyond(3, 100)).toBe(1);
  expect(await store.deleteBeyond(3, 100)).toBe(0);
  expect((await foundOf(owner)).map(({ phone }) => phone)).toEqual(phones.slice(1));
  expect(await foundOf(other)).toHaveLength(1);
});

test('those who run accounts set the days within bounds, resellers do not', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const stored = async () => {
    const [row] = await world.db.query<{ username: string; days: number | null }>(
      `select username, (settings #>> '{sendings,lookupDays}')::int as days from users where id = $1`,
      [customer.id],
    );
    return row!;
  };
  const configure = (by: Person, lookupDays: number | null) =>
    by.api(users.configure, { params: { id: customer.id }, body: { lookupDays } as never }).then(
      async () => (await stored()).days,
      (error: { code: string }) => error.code,
    );
  expect(await configure(administrator, 30)).toBe(30);
  expect(await configure(administrator, 31)).toBe('validation');
  expect(await configure(administrator, -1)).toBe('validation');
  expect(await configure(reseller, 1)).toBe('forbidden');
  expect(await configure(administrator, null)).toBe(null);
  const db = world.api.get(Db, { strict: false });
  const { username } = await stored();
  await setAccount(db, username, ['lookupDays=14']);
  await expect(setAccount(db, username, ['lookupDays=31'])).rejects.toThrow('lookupDays');
  expect((await stored()).days).toBe(14);
});

test('a look-up counts for as many days as the account has set, and is deleted after thirty', async () => {
  const phone = number();
  const longer = await account(30);
  for (const who of [owner, longer]) await lookUp(who, phone, MEGAFON);
  world.clock.forward(7 * DAY - 3600);
  expect(await probe(owner, phone)).toMatchObject({ mccmnc: MEGAFON });
  world.clock.forward(7200);
  expect(await probe(owner, phone)).toMatchObject({ mccmnc: MTS, lookedUpAt: null });
  expect(await probe(longer, phone)).toMatchObject({ mccmnc: MEGAFON, channel: ofMegafon.name });
  world.clock.forward(24 * DAY);
  expect(await probe(longer, phone)).toMatchObject({ mccmnc: MTS, lookedUpAt: null });
  const service = world.api.get(FoundNetworksService, { strict: false });
  while (await service.deleteOld());
  // A sweep of the worker may have deleted them before.
  await until(async () => (await foundOf(longer)).length === 0, 'the deletion');
});
