import {
  contactLists,
  contacts,
  frequencyCap,
  quietHours,
  sendings,
  tokens,
  type EachReceipt,
  type Sending,
  type SendingReceipt,
} from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Carrier } from '../carrier.ts';
import { approve, balance, problems } from '../factories.ts';
import { otpSession, otpWidget } from '../otp.ts';
import { raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
let carrier: Carrier;
const PHONE = '+79161234567';
const payload = { sender: 'MIRTEA', text: 'Hello' };
const HOUR = 3600;

beforeAll(async () => {
  world = await World.start({ LEASE_SECONDS: '36000' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100 });
  await approve(world, owner.id);
  await world.db.query(`update channels set is_active = false where name <> '__test__'`);
  carrier = await Carrier.start(world, ['sms', 'viber'], { maxBatch: 1, connections: 1 });
});

const at = (seconds: number) =>
  new Date(world.clock.now().getTime() + seconds * 1000).toISOString();
const send = async (over: object = {}, who = owner): Promise<string> => {
  const body = { type: 'sms', payload, recipient: PHONE, ...over } as never;
  return ((await who.api(sendings.create, { body })) as SendingReceipt).id;
};
const read = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });
const cancel = (id: string, who = owner) => who.api(sendings.cancel, { params: { id } });
/** Whether a call cancels it; a refusal is the one for what is no longer, or never was, to be cancelled. */
const isCancelled = (id: string): Promise<boolean> =>
  cancel(id).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject(refusal(409, 'conflict'));
      return false;
    },
  );
const refusal = (status: number, code: string) => ({ status, body: { code } });
const invalid = (field: string, rule: string) => ({
  status: 422,
  body: { code: 'validation', data: [{ field, type: rule }] },
});

test('a single with a time is paid at once, waits for its time, and is sent then', async () => {
  const sendAt = at(HOUR);
  const id = await send({ sendAt });
  const waiting = await read(id);
  expect(waiting).toMatchObject({ state: { status: 'pending' }, dueAt: sendAt, groupId: null });
  expect(await balance(world, owner.id)).toBeCloseTo(100 - waiting.meta.billing!.amount, 4);
  world.clock.forward(HOUR - 60);
  await world.submit();
  expect(carrier.taken).toEqual([]);
  world.clock.forward(60);
  await world.submit();
  expect(carrier.taken).toEqual([id]);
  expect(await problems(world)).toEqual([]);
});

test('several of one call, and those with own values, wait as well; others of the call do not', async () => {
  const sendAt = at(HOUR);
  const each = {
    type: 'sms' as const,
    payload,
    recipients: [{ to: PHONE }, { to: '+79161234568' }],
  };
  const later = (await owner.api(sendings.each, { body: { ...each, sendAt } })) as EachReceipt[];
  const listed = (await owner.api(sendings.create, {
    query: { return: 'each' },
    body: { type: 'sms', payload, recipient: [PHONE, '+79161234569'], sendAt },
  })) as SendingReceipt[];
  const now = (await owner.api(sendings.each, { body: each })) as EachReceipt[];
  await world.submit();
  const idsOf = (receipts: { id: string | null }[]) => receipts.map(({ id }) => id).toSorted();
  expect(carrier.taken.toSorted()).toEqual(idsOf(now));
  world.clock.forward(HOUR);
  await world.submit();
  expect(carrier.taken.toSorted()).toEqual(idsOf([...now, ...later, ...listed]));
});

test('it can be cancelled before its time, with its fallbacks, and is refunded', async () => {
  const fallbacks = [{ type: 'viber', payload, options: { onStatus: ['failed'] } }];
  const chain = await send({ sendAt: at(HOUR), fallbacks });
  const kept = await owner.api(sendings.each, {
    body: { type: 'sms', payload, recipients: [{ to: PHONE }, { to: PHONE }], sendAt: at(HOUR) },
  });
  const [dropped, other] = kept.map(({ id }) => id!) as [string, string];
  expect(await cancel(chain)).toMatchObject({
    state: { status: 'failed', outcome: 'cancelled', code: 'stopped' },
    meta: { billing: { refunded: true } },
    dueAt: null,
  });
  await cancel(dropped);
  const { amount } = (await read(other)).meta.billing!;
  expect(await balance(world, owner.id)).toBeCloseTo(100 - amount, 4);
  await expect(cancel(chain)).rejects.toMatchObject(refusal(409, 'conflict'));
  world.clock.forward(HOUR);
  await world.submit();
  expect(carrier.taken).toEqual([other]);
  await expect(cancel(other)).rejects.toMatchObject(refusal(409, 'conflict'));
  expect((await owner.api(sendings.find, {})).data).toHaveLength(3);
  expect(await problems(world)).toEqual([]);
});

test('what is being submitted, of a bulk, or another account’s cannot be cancelled', async () => {
  let refused: unknown;
  carrier.meanwhile = async ({ reference }) => {
    refused = await cancel(reference).catch((error: unknown) => error);
    return { result: 'accepted' };
  };
  const id = await send();
  await world.submit();
  expect(refused).toMatchObject(refusal(409, 'conflict'));
  expect((await read(id)).state.status).toBe('sent');
  const waiting = await send({ sendAt: at(HOUR) });
  const stranger = await world.person();
  await expect(cancel(waiting, stranger)).rejects.toMatchObject(refusal(404, 'not_found'));
  const bulk = await send({ schedule: { delay: at(HOUR) } });
  await expect(cancel(bulk)).rejects.toMatchObject(refusal(404, 'not_found'));
  expect((await read(waiting)).state.status).toBe('pending');
});

test('a message says whether it can be cancelled, by the rule by which it is', async () => {
  const widgetId = await otpWidget(owner, ['sms']);
  await otpSession(world, widgetId, PHONE);
  const listed = async () => (await owner.api(sendings.find, {})).data;
  const [code] = await until(async () => {
    const all = await listed();
    return all.length > 0 && all;
  }, 'the code');
  const single = await send({ sendAt: at(HOUR) });
  const unknown = await send();
  await world.db.query(
    `update batches set unknown_outcomes = 1 where id = (select batch_id from sendings where id = $1)`,
    [unknown],
  );
  const said = new Map((await listed()).map((one) => [one.id, one.cancellable]));
  expect(said).toEqual(
    new Map([
      [code!.id, false],
      [single, true],
      [unknown, false],
    ]),
  );
  for (const [id, cancellable] of said) {
    const before = await read(id);
    expect(before).toMatchObject({ state: { status: 'pending' }, groupId: null, cancellable });
    expect(await isCancelled(id)).toBe(cancellable);
    expect((await read(id)).cancellable).toBe(false);
  }
});

test('a call that cancels and one that submits at the same moment agree', async () => {
  const id = await send();
  const batchOf = `select b.id from batches b join sendings s on s.batch_id = b.id where s.id = $1`;
  let running: Promise<boolean>;
  await world.hold(async () => {
    await world.db.query(`${batchOf} for update of b`, [id]);
    running = isCancelled(id);
    await world.waitedFor('the call to wait for the batch');
    await world.db.query(`update batches set stage = 2 where id in (${batchOf})`, [id]);
  });
  expect(await running!).toBe(false);
  expect((await read(id)).state.status).toBe('processing');
});

test('validity counts from its time; a time before it is refused', async () => {
  const id = await send({ sendAt: at(HOUR), schedule: { validUntil: 60 } });
  const [batch] = await world.db.query<{ wait: number }>(
    `select extract(epoch from b.valid_until - b.due_at)::int as wait from batches b join sendings s on s.batch_id = b.id where s.id = $1`,
    [id],
  );
  expect(batch!.wait).toBe(60);
  await expect(
    send({ sendAt: at(HOUR), schedule: { validUntil: at(HOUR / 2) } }),
  ).rejects.toMatchObject(invalid('schedule.validUntil', 'order'));
});

test.each([
  ['in the past', () => ({ sendAt: at(-HOUR) }), 'sendAt', 'past'],
  ['beyond a year', () => ({ sendAt: at(367 * 24 * HOUR) }), 'sendAt', 'far'],
  ['of a bulk', () => ({ sendAt: at(HOUR), recipient: [PHONE] }), 'sendAt', 'unsupported'],
  [
    'with a delay',
    () => ({ sendAt: at(HOUR), schedule: { delay: at(HOUR) } }),
    'sendAt',
    'unsupported',
  ],
  [
    'priority of a bulk',
    () => ({ priority: 'high', recipient: [PHONE] }),
    'priority',
    'unsupported',
  ],
])('a time or priority is refused: %s', async (_, over, field, rule) => {
  await expect(send(over())).rejects.toMatchObject(invalid(field, rule));
});

test('what has changed until its time holds: quiet hours, opt-outs and blacklists', async () => {
  const [quiet, blocked] = [PHONE, '+79161234568'];
  const waits = await send({ sendAt: at(HOUR), recipient: quiet });
  const fails = await send({ sendAt: at(HOUR), recipient: blocked });
  const { id: ListId } = await owner.api(contactLists.create, {
    body: { title: 'Never', type: 'blacklist' },
  });
  await owner.api(contacts.create, { body: { ListId, phone: blocked } });
  const inMoscow = (minutes: number) =>
    (Math.floor(world.clock.now().getTime() / 60_000) + 180 + minutes) % 1440;
  const body = { isActive: true, from: inMoscow(30), until: inMoscow(120), singles: true };
  await owner.api(quietHours.update, {
    body: { ...body, groups: ['advertising'], timeZone: 'Europe/Moscow' },
  });
  world.clock.forward(HOUR);
  await world.submit();
  expect(carrier.taken).toEqual([]);
  expect(await read(fails)).toMatchObject({
    state: { status: 'failed', code: 'blacklisted' },
    meta: { billing: { refunded: true } },
  });
  expect((await read(waits)).state.status).toBe('pending');
  world.clock.forward(HOUR + 60);
  await world.submit();
  expect(carrier.taken).toEqual([waits]);
  expect(await problems(world)).toEqual([]);
});

test('the estimate says that it waits for the end of quiet hours at its time', async () => {
  const inMoscow = (minutes: number) =>
    (Math.floor(world.clock.now().getTime() / 60_000) + 180 + minutes) % 1440;
  const hours = { isActive: true, from: inMoscow(30), until: inMoscow(120), singles: true };
  await owner.api(quietHours.update, {
    body: { ...hours, groups: ['advertising'], timeZone: 'Europe/Moscow' },
  });
  const body = { type: 'sms' as const, payload, recipient: PHONE };
  expect((await owner.api(sendings.estimate, { body })).quiet).toBe(null);
  const later = await owner.api(sendings.estimate, { body: { ...body, sendAt: at(HOUR) } });
  expect(later.quiet).toMatchObject({ count: 1 });
});

test('it counts under caps when it is taken on, and no more once it is cancelled', async () => {
  await owner.api(frequencyCap.update, {
    body: { isActive: true, messages: 1, days: 7, singles: true },
  });
  const first = await send({ sendAt: at(HOUR) });
  const body = { type: 'sms', payload, recipient: PHONE, sendAt: at(2 * HOUR) };
  expect((await raw(world, owner, 'POST', '/sendings', body)).json).toMatchObject({
    code: 'frequency_cap_reached',
  });
  await cancel(first);
  expect((await raw(world, owner, 'POST', '/sendings', body)).status).toBe(200);
});

test('a token that may not read messages cannot cancel them, as the answer shows them', async () => {
  const { token } = await owner.api(tokens.create, {
    body: { description: 'Sends', permissions: ['sendings.generate'] },
  });
  const sender = { ...owner, token, api: world.client(token) };
  const id = await send({ sendAt: at(HOUR) }, sender);
  await expect(cancel(id, sender)).rejects.toMatchObject(refusal(403, 'forbidden'));
  expect((await read(id)).state.status).toBe('pending');
});

test('a test token waits, and cancels what tests have sent, but nothing real', async () => {
  const { token } = await owner.api(tokens.create, {
    body: { description: 'Tests', isTest: true },
  });
  const tester = { ...owner, token, api: world.client(token) };
  const id = await send({ sendAt: at(HOUR) }, tester);
  const other = await send({ sendAt: at(HOUR) }, tester);
  const real = await send({ sendAt: at(HOUR) });
  await expect(cancel(real, tester)).rejects.toMatchObject(refusal(404, 'not_found'));
  expect(await cancel(id, tester)).toMatchObject({ live: false, state: { code: 'stopped' } });
  expect((await read(other)).state.status).toBe('pending');
  world.clock.forward(HOUR);
  await world.submit();
  await until(async () => (await read(other)).state.status !== 'pending', 'the test');
  expect(carrier.taken).toEqual([real]);
});

test('urgent singles pass those that have not waited ten times as long, and patient ones wait for both', async () => {
  const low = await send({ priority: 'low' });
  const early = await send();
  world.clock.forward(1500);
  const normal = await send({ priority: 'normal' });
  world.clock.forward(10);
  const high = await send({ priority: 'high' });
  const later = await send({ priority: 'high', sendAt: at(HOUR) });
  world.clock.forward(20);
  await world.submit();
  // Ages at that time: 1530 s of `early`, 30 of `normal`, ten times 20 of `high`, a tenth of 1530 of `low`.
  expect(carrier.taken).toEqual([early, high, low, normal]);
  expect(carrier.taken).not.toContain(later);
});

test('urgent singles that keep coming do not starve others', async () => {
  const normal = await send();
  for (let i = 0; i < 60 && !carrier.taken.includes(normal); i++) {
    await world.db.query(`update batches set stage = 5 where stage = 0 and urgency = 1`);
    for (let k = 0; k < 2; k++) await send({ priority: 'high' });
    world.clock.forward(1);
    await world.submit();
  }
  expect(carrier.taken).toContain(normal);
});

test('fallbacks of an urgent single are urgent, too', async () => {
  const fallbacks = [{ type: 'viber', payload, options: { onStatus: ['failed'] } }];
  carrier.meanwhile = () => Promise.resolve({ result: 'rejected' });
  const chain = await send({ priority: 'high', fallbacks });
  await world.startWorker();
  const urgencies = await until(async () => {
    const rows = await world.db.query<{ urgency: number }>(
      `select b.urgency from batches b join sendings s on s.batch_id = b.id where coalesce(s.chain_id, s.id) = $1`,
      [chain],
    );
    return rows.length === 2 && rows;
  }, 'the fallback');
  expect(urgencies).toEqual([{ urgency: 1 }, { urgency: 1 }]);
});
