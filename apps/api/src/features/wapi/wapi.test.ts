import {
  ADMINISTRATOR_GRANTS,
  billings,
  notifications,
  sendings,
  sendingsIncoming,
  settings,
  settingsUser,
  wapi,
  webhooks,
  type WapiInstance,
} from '@heliograph/contract';
import { nextChargeAt } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { balance, problems } from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { FallbackService } from '../sendings/fallbacks/fallback.service.ts';
import { WapiLinksService } from './wapi-links.service.ts';
import { WapiRenewalsService } from './wapi-renewals.service.ts';
import { WapiWorkerService } from './wapi-worker.service.ts';

let world: World;
let who: Person;

const PRICE = 1990;
const DAY = 86_400;
let number = 79_990_000_100;

beforeAll(async () => {
  world = await World.start({ QUOTA_WAPI: '3', WAPI_MESSAGES_PER_MINUTE: '60' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  who = await world.person({ balance: 10_000 });
});

const renewals = () => world.api.get(WapiRenewalsService);
const worker = () => world.api.get(WapiWorkerService);
const get = (id: string, of = who) => of.api(wapi.get, { params: { id } });
const codeOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );
const received = async (type: string, of = who) => {
  const { data } = await of.api(notifications.find, { query: { limit: 100 } });
  return data.filter((one) => one.type === type);
};
async function created(of = who): Promise<WapiInstance> {
  const { id } = await of.api(wapi.create);
  await worker().provision();
  return get(id, of);
}
/** Scans the code that the cabinet shows. */
async function scan(id: string, phone: string, form: Record<string, string> = {}, of = who) {
  const { qr } = await of.api(wapi.qr, { params: { id } });
  const code = new URL(qr!.code!).searchParams.get('code')!;
  await world.gateway.act(id, { action: 'scan', code, phone, ...form });
  await receive();
}
/** Once more, for events that came while others were received. */
async function receive(): Promise<void> {
  world.clock.forward(2);
  await worker().receive();
}
async function linked(of = who): Promise<WapiInstance & { phone: string }> {
  const { id } = await created(of);
  await scan(id, `+${number++}`, {}, of);
  const row = await get(id, of);
  expect(row.state).toBe('authorized');
  return row as WapiInstance & { phone: string };
}
const charged = async () => {
  const { data } = await who.api(billings.find, { query: { limit: 100 } });
  return data.filter(({ meta }) => meta.origin?.type === 'wapi').map(({ amount }) => amount);
};
const forward = (seconds: number) => world.clock.forward(seconds);
/** What a webhook reports, in the order of the events. */
async function reported(id: string): Promise<unknown[]> {
  const { data } = await who.api(webhooks.deliveries, { params: { id } });
  const rows = data.map(({ id: deliveryId }) =>
    who.api(webhooks.delivery, { params: { id, deliveryId } }),
  );
  const bodies = (await Promise.all(rows)).map(({ request }) => JSON.parse(request.body!));
  return bodies.map(({ data: one }: { data: unknown }) => one).toReversed();
}
/** To the end of the paid time. */
async function toEnd(id: string, more = 1): Promise<void> {
  const { expiredAt } = await get(id);
  forward((Date.parse(expiredAt) - world.clock.now().getTime()) / 1000 + more);
}
async function sweep(): Promise<void> {
  await renewals().renewDue();
  await renewals().endExpired();
}
const message = (body: object = {}) => ({
  type: 'wapi' as const,
  recipient: '+79990000000',
  payload: { sender: '', text: 'Tea is ready' },
  ...body,
});

test('a new instance is charged, created at the gateway and linked by its code', async () => {
  expect(await who.api(wapi.price)).toEqual({ amount: PRICE, currency: 'RUB' });
  const row = await created();
  expect(row).toMatchObject({
    state: 'notAuthorized',
    phone: null,
    isPaid: true,
    isActive: true,
    isCanceled: false,
    removalAt: null,
    qr: null,
  });
  expect(await balance(world, who.id)).toBe(10_000 - PRICE);
  expect(await charged()).toEqual([-PRICE]);
  expect(await received('WapiCreated')).toHaveLength(1);
  expect(await received('SubscriptionEnabled')).toHaveLength(1);
  await scan(row.id, '+79990000020');
  expect(await get(row.id)).toMatchObject({
    state: 'authorized',
    phone: '+79990000020',
    qr: null,
  });
  expect(await received('WapiConnected')).toMatchObject([{ data: { phone: '+79990000020' } }]);
  const stored = await world.db.query<{ token: Buffer }>(
    `select token from wapi_instances where id = $1`,
    [row.id],
  );
  const { token } = world.gateway.of(row.id)!;
  expect(stored[0]!.token.toString('latin1')).not.toContain(token);
});

test('the code is renewed while it is open, and dropped afterwards', async () => {
  const { id } = await created();
  const { qr } = await who.api(wapi.qr, { params: { id } });
  await worker().renewCodes();
  expect((await get(id)).qr).toEqual(qr);
  forward(21);
  await worker().renewCodes();
  const next = (await get(id)).qr!;
  expect(next.code).not.toBe(qr!.code);
  expect(Date.parse(next.expiresAt)).toBeGreaterThan(Date.parse(qr!.expiresAt));
  forward(61);
  await worker().renewCodes();
  expect((await get(id)).qr).toBeNull();
});

test('the phone sleeps, wakes up and loses its link; notified of the link alone', async () => {
  const { id, phone } = await linked();
  await world.gateway.act(id, { action: 'sleep' });
  await receive();
  expect((await get(id)).state).toBe('sleep');
  await world.gateway.act(id, { action: 'wake' });
  await receive();
  expect((await get(id)).state).toBe('authorized');
  await world.gateway.act(id, { action: 'unlink' });
  await receive();
  expect(await get(id)).toMatchObject({ state: 'notAuthorized', phone });
  expect(await received('WapiDisconnected')).toHaveLength(1);
  expect(await received('WapiConnected')).toHaveLength(1);
});

test('a lost event is found by the state; an instance that is gone at the gateway is created again', async () => {
  const { id } = await linked();
  const there = world.gateway.of(id)!;
  world.gateway.gateway.instances.set(there.id, { ...there, state: 'notAuthorized', phone: null });
  forward(61);
  await receive();
  expect((await get(id)).state).toBe('notAuthorized');
  world.gateway.gateway.instances.delete(there.id);
  forward(61);
  await receive();
  expect((await get(id)).state).toBe('undefined');
  forward(61);
  await worker().provision();
  expect((await get(id)).state).toBe('notAuthorized');
  expect(world.gateway.of(id)!.id).not.toBe(there.id);
});

test('what the gateway says of a former instance does not change the one that has replaced it', async () => {
  const { id } = await linked();
  const [former] = await world.db.query(
    `select id, owner_id as "OwnerId", state, external_id as "externalId", token from wapi_instances where id = $1`,
    [id],
  );
  world.gateway.gateway.instances.delete(world.gateway.of(id)!.id);
  forward(61);
  await receive();
  forward(61);
  await worker().provision();
  const { id: there } = world.gateway.of(id)!;
  // A worker that asked before, and hears of it now.
  await world.api.get(WapiLinksService).sync(former as never);
  expect((await get(id)).state).toBe('notAuthorized');
  forward(61);
  await worker().provision();
  expect(world.gateway.of(id)!.id).toBe(there);
});

test('a state that is not known keeps no event waiting', async () => {
  const { id, phone } = await linked();
  const there = world.gateway.of(id)!;
  await world.gateway.act(id, { action: 'write', from: '+79990000013', text: 'Open today?' });
  const { instances } = world.gateway.gateway;
  instances.set(there.id, { ...world.gateway.of(id)!, state: 'yellowCard' as never });
  forward(61);
  await receive();
  const { data } = await who.api(sendingsIncoming.find, { query: {} });
  expect(data).toMatchObject([{ to: phone, payload: { text: 'Open today?' } }]);
  expect((await get(id)).state).toBe('authorized');
});

test('a creation whose answer was lost is found by its name', async () => {
  const { id } = await who.api(wapi.create);
  await world.db.query(`update wapi_instances set is_creating = true where id = $1`, [id]);
  const body = JSON.stringify({ name: id });
  const headers = { 'content-type': 'application/json' };
  const { url } = world.gateway;
  await fetch(`${url}/partner/createInstance/token-of-the-partner`, {
    method: 'POST',
    headers,
    body,
  });
  await worker().provision();
  expect((await get(id)).state).toBe('notAuthorized');
  const there = [...world.gateway.gateway.instances.values()].filter(({ name }) => name === id);
  expect(there).toHaveLength(1);
});

test('log out unlinks the phone, and another one can be linked', async () => {
  const { id } = await linked();
  expect(await codeOf(who.api(wapi.qr, { params: { id } }))).toBe('instance_authorized');
  expect((await who.api(wapi.logout, { params: { id } })).state).toBe('notAuthorized');
  expect(world.gateway.of(id)!.state).toBe('notAuthorized');
  await scan(id, '+79990000021');
  expect((await get(id)).phone).toBe('+79990000021');
});

test('a phone is linked to one instance; a phone in the beta to none', async () => {
  const { phone } = await linked();
  const other = await world.person({ balance: 5000 });
  const { id } = await created(other);
  await scan(id, phone, {}, other);
  expect(await get(id, other)).toMatchObject({
    state: 'notAuthorized',
    phone: null,
    problem: 'phone_already_used',
  });
  expect(world.gateway.of(id)!.state).toBe('notAuthorized');
  // Scanned between the last event and the request of a code.
  const { qr } = await other.api(wapi.qr, { params: { id } });
  const code = new URL(qr!.code!).searchParams.get('code')!;
  await world.gateway.act(id, { action: 'scan', code, phone });
  expect(await codeOf(other.api(wapi.qr, { params: { id } }))).toBe('phone_already_used');
  await scan(id, '+79990000022', { isBeta: '1' }, other);
  expect(await codeOf(other.api(wapi.qr, { params: { id } }))).toBe('device_link_beta');
  expect((await get(id, other)).problem).toBe('device_link_beta');
  await scan(id, '+79990000022', {}, other);
  expect(await get(id, other)).toMatchObject({ state: 'authorized', problem: null });
});

test('a repeated creation with the same key pays for one instance', async () => {
  const call = { headers: { 'idempotency-key': 'instance-1' } };
  const { id } = await who.api(wapi.create, call);
  expect((await who.api(wapi.create, call)).id).toBe(id);
  expect((await who.api(wapi.find, { query: {} })).total).toBe(1);
});

test('an instance is of the account that pays for it: another is refused by name', async () => {
  const paid = await balance(world, who.id);
  const body = { OwnerId: who.id } as never;
  expect(await codeOf(who.api(wapi.create, { body }))).toBe('unknown_field');
  expect(await balance(world, who.id)).toBe(paid);
});

test('a tariff without a price, the quota and the balance refuse an instance', async () => {
  await created();
  await created();
  await created();
  expect(await codeOf(who.api(wapi.create))).toBe('quota_exceeded');
  const poor = await world.person({ balance: PRICE - 1 });
  expect(await codeOf(poor.api(wapi.create))).toBe('insufficient_funds');
  await world.db.query(`delete from users_tariffs where owner_id = $1`, [poor.id]);
  const again = world.client(await world.login(poor.username));
  await until(
    async () => (await codeOf(again(wapi.create))) === 'tariff_required',
    'the tariff to be read again',
  );
  expect(await again(wapi.price)).toMatchObject({ amount: null });
  expect((await poor.api(wapi.find)).data).toEqual([]);
});

test('a month is charged once, also by several processes at once', async () => {
  const { id, expiredAt } = await created();
  const others = [(await world.startApi()).app, (await world.startApi()).app];
  await toEnd(id);
  const all = [world.api, ...others].map((app) => app.get(WapiRenewalsService).renew(id));
  await Promise.all(all);
  await sweep();
  expect(await charged()).toEqual([-PRICE, -PRICE]);
  const row = await get(id);
  expect(row.isPaid).toBe(true);
  expect(Date.parse(row.expiredAt)).toBeGreaterThan(Date.parse(expiredAt) + 27 * DAY * 1000);
});

test('months are those of the account where it began, and one that moves is charged once for each', async () => {
  const zone = (value: string) =>
    who.api(settingsUser.update, {
      params: { accountId: who.id, key: 'timeZone' },
      body: { value },
    });
  const series = async (id: string) => {
    const [row] = await world.db.query<{ timeZone: string; anchor: Date; months: Date[] }>(
      `select time_zone as "timeZone", anchor, array(select ends_at from wapi_periods where instance_id = w.id order by 1) as months
         from wapi_instances w where id = $1`,
      [id],
    );
    return row!;
  };
  await zone('Asia/Tokyo');
  const { id } = await created();
  await zone('America/Los_Angeles');
  for (let i = 0; i < 2; i++) {
    await toEnd(id);
    await sweep();
    await sweep();
  }
  const { timeZone, anchor, months } = await series(id);
  expect(timeZone).toBe('Asia/Tokyo');
  expect(await charged()).toEqual([-PRICE, -PRICE, -PRICE]);
  const expected = [anchor];
  for (let i = 0; i < 3; i++)
    expected.push(nextChargeAt({ anchor, timeZone }, 'monthly', expected.at(-1)!));
  expect(months).toEqual(expected.slice(1));
  const other = await created();
  expect((await series(other.id)).timeZone).toBe('America/Los_Angeles');
});

test('the day of the month stays', async () => {
  const { id } = await created();
  const [row] = await world.db.query<{ anchor: Date }>(
    `select anchor from wapi_instances where id = $1`,
    [id],
  );
  for (let i = 0; i < 3; i++) {
    await toEnd(id);
    await sweep();
  }
  const last = new Date((await get(id)).expiredAt);
  expect([row!.anchor.getUTCDate(), 28, 29, 30]).toContain(last.getUTCDate());
  expect(last.toISOString().slice(10)).toBe(row!.anchor.toISOString().slice(10));
});

test('a renewal that the balance does not cover is notified once, tried again, and paid later', async () => {
  const { id } = await linked();
  await world.db.query(`update users set settings = '{}' where id = $1`, [who.id]);
  const manager = await world.person({ level: 'manager' });
  await world.db.query(`update users set manager_id = $2 where id = $1`, [who.id, manager.id]);
  const enter = (source: 'accrual' | 'subtract', amount: number) =>
    manager.api(billings.create, { body: { source, amount, OwnerId: who.id } });
  await enter('subtract', 10_000 - PRICE - 5);
  await toEnd(id);
  await sweep();
  const row = await get(id);
  expect(row).toMatchObject({ isPaid: false, state: 'authorized' });
  expect(Date.parse(row.removalAt!)).toBe(Date.parse(row.expiredAt) + 7 * DAY * 1000);
  await sweep();
  forward(3601);
  await sweep();
  expect(await received('SubscriptionRenewFailed')).toHaveLength(1);
  expect(await codeOf(who.api(wapi.qr, { params: { id } }))).toBe('instance_expired');
  await enter('accrual', PRICE);
  forward(3601);
  await sweep();
  expect(await get(id)).toMatchObject({ isPaid: true, removalAt: null, state: 'authorized' });
  // From the payment, not from the end of the former month.
  const later = Date.parse((await get(id)).expiredAt) - world.clock.now().getTime();
  expect(later).toBeGreaterThan(27.9 * DAY * 1000);
  expect(await charged()).toEqual([-PRICE, -PRICE]);
});

test('without auto-renewal it ends, and is removed after the grace', async () => {
  const hook = await who.api(webhooks.create, {
    body: { title: 'Phones', event: 'wapi.state', url: 'http://127.0.0.1:9/hook' },
  });
  const { id, phone } = await linked();
  const set = (isCanceled: boolean) =>
    who.api(wapi.update, { params: { id }, body: { isCanceled } });
  expect((await set(true)).isCanceled).toBe(true);
  await toEnd(id);
  await sweep();
  expect(await get(id)).toMatchObject({ isPaid: false, isCanceled: true });
  expect(await charged()).toEqual([-PRICE]);
  forward(7 * DAY - 10);
  await sweep();
  expect((await get(id)).state).toBe('authorized');
  forward(20);
  await sweep();
  expect((await get(id)).state).toBe('deleted');
  expect(await received('WapiDisconnected')).toMatchObject([{ data: { phone } }]);
  expect(await reported(hook.id)).toMatchObject([
    { id, state: 'undefined', isPaid: true },
    { state: 'authorized', isPaid: true },
    { state: 'authorized', isPaid: false },
    { phone, state: 'deleted', isPaid: false },
  ]);
  await worker().provision();
  expect(world.gateway.of(id)).toBeUndefined();
  const { expiredAt } = await get(id);
  for (const call of [
    () => set(false),
    () => who.api(wapi.qr, { params: { id } }),
    () => who.api(wapi.logout, { params: { id } }),
    () => who.api(wapi.renew, { params: { id }, body: { expiredAt } }),
  ])
    expect(await codeOf(call())).toBe('instance_removed');
  await sweep();
  expect(await charged()).toEqual([-PRICE]);
});

test('renewed by hand: the end that the caller knows is renewed once, up to a year ahead', async () => {
  const { id, expiredAt } = await created();
  const renew = (at: string) => who.api(wapi.renew, { params: { id }, body: { expiredAt: at } });
  const both = await Promise.all([codeOf(renew(expiredAt)), codeOf(renew(expiredAt))]);
  expect(both.sort()).toEqual(['conflict', 'done']);
  const row = await get(id);
  expect(Date.parse(row.expiredAt)).toBeGreaterThan(Date.parse(expiredAt));
  await world.db.query(
    `with p as (update wapi_periods set ends_at = ends_at + interval '400 days' where instance_id = $1 and ends_at = $2)
     update wapi_instances set expired_at = expired_at + interval '400 days' where id = $1`,
    [id, row.expiredAt],
  );
  expect(await codeOf(renew((await get(id)).expiredAt))).toBe('conflict');
  expect(await charged()).toEqual([-PRICE, -PRICE]);
});

test('an administrator deactivates: no code, no message, no renewal', async () => {
  const { id } = await linked();
  const administrator = await world.person({
    level: 'manager',
    grants: { add: ADMINISTRATOR_GRANTS },
  });
  const body = { isActive: false };
  expect(await codeOf(who.api(wapi.activate, { params: { id }, body }))).toBe('forbidden');
  expect((await administrator.api(wapi.activate, { params: { id }, body })).isActive).toBe(false);
  expect(await codeOf(who.api(wapi.qr, { params: { id } }))).toBe('forbidden');
  expect(await codeOf(who.api(sendings.create, { body: message() }))).toBe('validation');
  const { expiredAt } = await get(id);
  const renew = who.api(wapi.renew, { params: { id }, body: { expiredAt } });
  expect(await codeOf(renew)).toBe('forbidden');
  await toEnd(id);
  await sweep();
  expect(await get(id)).toMatchObject({ isPaid: false });
  expect(await charged()).toEqual([-PRICE]);
});

test('a code that is open is closed when the instance is deactivated or ends', async () => {
  const administrator = await world.person({
    level: 'manager',
    grants: { add: ADMINISTRATOR_GRANTS },
  });
  const { id } = await created();
  const open = () => who.api(wapi.qr, { params: { id } });
  expect((await open()).qr).not.toBeNull();
  const set = (isActive: boolean) =>
    administrator.api(wapi.activate, { params: { id }, body: { isActive } });
  expect(await set(false)).toMatchObject({ qr: null });
  await worker().renewCodes();
  expect((await get(id)).qr).toBeNull();
  await set(true);
  await who.api(wapi.update, { params: { id }, body: { isCanceled: true } });
  await toEnd(id);
  await open();
  await sweep();
  expect(await get(id)).toMatchObject({ isPaid: false, qr: null });
});

const sendingOf = (id: string, of = who) => of.api(sendings.get, { params: { id } });
async function sent(body: object = {}, of = who): Promise<string> {
  const receipt = (await of.api(sendings.create, { body: message(body) as never })) as {
    id: string;
    status: string;
  };
  expect(receipt.status).toBe('pending');
  return receipt.id;
}

test('the type is offered while there is an instance; its phone is the sender', async () => {
  expect((await who.api(settings.get)).sendings.types).not.toContain('wapi');
  const { phone } = await linked();
  expect((await who.api(settings.get)).sendings.types).toContain('wapi');
  const before = await balance(world, who.id);
  const id = await sent();
  await world.submit();
  forward(3);
  await receive();
  expect(await sendingOf(id)).toMatchObject({
    type: 'wapi',
    state: { status: 'delivered' },
    payload: { sender: phone },
  });
  // Its month is paid.
  expect(await balance(world, who.id)).toBe(before);
  const foreign = (await who.api(sendings.create, {
    body: message({ payload: { sender: '+79990009999', text: 'Tea' } }),
  })) as { status: string; code?: string };
  expect(foreign).toMatchObject({ status: 'failed', code: 'instance_not_authorized' });
});

test('replies are incoming messages of the sending; an event that comes twice is one message', async () => {
  const { id, phone } = await linked();
  const sending = await sent({ recipient: '+79990000010' });
  await world.submit();
  forward(4);
  await receive();
  const stored = async () =>
    (await who.api(sendingsIncoming.find, { query: {} })).data.map(
      ({ from, to, payload, SendingId }) => ({ from, to, text: payload.text, SendingId }),
    );
  const reply = { from: '+79990000010', to: phone, text: 'да', SendingId: sending };
  expect(await stored()).toEqual([reply]);
  await world.gateway.act(id, { action: 'write', from: '+79990000011', text: 'Open today?' });
  const there = world.gateway.of(id)!;
  await receive();
  world.gateway.gateway.instances.set(there.id, there);
  await receive();
  expect(await stored()).toEqual([
    { from: '+79990000011', to: phone, text: 'Open today?', SendingId: null },
    reply,
  ]);
});

test('a message that comes with the link of its phone is received, too', async () => {
  const { id } = await created();
  const phone = `+${number++}`;
  const { qr } = await who.api(wapi.qr, { params: { id } });
  const code = new URL(qr!.code!).searchParams.get('code')!;
  // Before the worker has heard of the link.
  await world.gateway.act(id, { action: 'scan', code, phone });
  await world.gateway.act(id, { action: 'write', from: '+79990000012', text: 'Open today?' });
  await receive();
  const { data } = await who.api(sendingsIncoming.find, { query: {} });
  expect(data).toMatchObject([
    { from: '+79990000012', to: phone, payload: { text: 'Open today?' } },
  ]);
});

test('a phone without a link fails the message, and its fallback starts', async () => {
  const { id } = await linked();
  await world.gateway.act(id, { action: 'sleep' });
  await receive();
  const fallback = {
    type: 'viber',
    payload: { sender: 'TEA', text: 'Tea is ready' },
    $options: { onStatus: ['failed'] },
  };
  const first = await sent({ fallbacks: [fallback] });
  await world.submit();
  expect(await sendingOf(first)).toMatchObject({
    state: { status: 'failed', code: 'instance_not_authorized' },
  });
  await world.api.get(FallbackService).start();
  const { data } = await who.api(sendings.find, { query: { filter: { chainId: first } } });
  expect(data.map(({ type }) => type).sort()).toEqual(['viber', 'wapi']);
});

test('messages go from the instance of their own account', async () => {
  const { id, phone } = await linked();
  const first = await sent();
  // The phone moves to an instance of another account before the message is submitted.
  await who.api(wapi.logout, { params: { id } });
  const other = await world.person({ balance: 5000 });
  const next = await created(other);
  await scan(next.id, phone, {}, other);
  await world.submit();
  expect(world.gateway.of(next.id)!.messages).toEqual([]);
  expect((await sendingOf(first)).state.status).toBe('failed');
});

test('an instance sends at its rate; the rest waits', async () => {
  const { id } = await linked();
  // At one moment: none becomes free while the others are sent.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const ids = await Promise.all(Array.from({ length: 14 }, () => sent()));
  await world.submit();
  expect(world.gateway.of(id)!.messages).toHaveLength(10);
  forward(6);
  await world.submit();
  expect(world.gateway.of(id)!.messages.length).toBeGreaterThanOrEqual(14);
  expect(world.gateway.of(id)!.messages).toHaveLength(ids.length);
});

test('an instance whose token cannot be read sends nothing, and changes nothing for the others', async () => {
  const { id } = await linked();
  const other = await world.person({ balance: 5000 });
  const { id: otherId } = await linked(other);
  await world.db.query(`update wapi_instances set token = '\\x00' where id = $1`, [otherId]);
  const first = await sent();
  const unsent = await sent({}, other);
  await world.submit();
  expect(world.gateway.of(id)!.messages).toHaveLength(1);
  expect((await sendingOf(first)).state.status).toBe('sent');
  expect(await sendingOf(unsent, other)).toMatchObject({ state: { status: 'pending' } });
  await world.db.query(`update wapi_instances set is_paid = false where id = $1`, [otherId]);
});

test('messages wait while the gateway cannot be reached', async () => {
  const { id } = await linked();
  const { port } = new URL(world.gateway.url);
  world.gateway.stop();
  const first = await sent();
  await world.submit();
  expect((await sendingOf(first)).state.status).toBe('pending');
  await world.gateway.start(Number(port));
  forward(11);
  await world.submit();
  expect(world.gateway.of(id)!.messages).toHaveLength(1);
});

test('the ledger agrees with what happened', async () => {
  expect(await problems(world)).toEqual([]);
});
