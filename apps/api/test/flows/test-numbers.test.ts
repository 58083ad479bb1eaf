import { sendings, sendingsIncoming, type Sending, type Status } from '@heliograph/contract';
import { TEST_NUMBER_PREFIX } from '@heliograph/domain';
import { TEST_NUMBERS } from '@heliograph/simulators';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, balance, contactList, problems, setCarrier } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
});

/** The final status of each number by SMS, and the latest time in seconds after the submit. */
const ENDS: Record<string, [status: Status, code: string | null, within: number]> = {
  '00': ['delivered', null, 2],
  '01': ['seen', null, 5],
  '02': ['failed', 'absent_subscriber', 2],
  '03': ['failed', 'temporary', 2],
  '04': ['failed', 'expired', 61],
  '05': ['failed', 'expired', 3],
  '06': ['failed', 'rejected_sender', 0],
  '07': ['failed', 'blacklisted', 0],
  '08': ['delivered', null, 2],
  '09': ['delivered', null, 2],
  '10': ['delivered', null, 2],
  '11': ['delivered', null, 2],
  '12': ['delivered', null, 2],
  '13': ['failed', 'partial', 3],
  '14': ['delivered', null, 2],
  '15': ['delivered', null, 2],
  '16': ['delivered', null, 2],
  '17': ['delivered', null, 2],
  '18': ['failed', 'landline', 0],
  '19': ['delivered', null, 60],
};

async function sendTo(digits: string[], type = 'sms'): Promise<Map<string, string>> {
  const body = {
    type,
    payload: { sender: 'MIRTEA', text: 'Hello' },
    recipient: digits.map((d) => TEST_NUMBER_PREFIX + d),
  };
  const query = { return: 'each' as const };
  const receipts = await owner.api(sendings.create, { query, body: body as never });
  return new Map(
    (receipts as { id: string; recipient: string }[]).map((r) => [r.recipient.slice(-2), r.id]),
  );
}
const all = async (who = owner): Promise<Sending[]> =>
  (await who.api(sendings.find, { query: { limit: 200 } })).data;
/** The messages of the test, without the confirmation that the reply STOP of 09 is answered with. */
const asked = async () => (await all()).filter((s) => s.payload.text === 'Hello');
const digitsOf = (s: { recipient: string }) => s.recipient.slice(-2);
const isFinal = (s: Sending) => ['delivered', 'seen', 'failed'].includes(s.state.status);

/** Advances the fake clock in steps, because reports become due one after another. */
async function runUntil(look: () => Promise<boolean>, steps: number[]): Promise<void> {
  for (const seconds of steps) {
    world.clock.forward(seconds);
    await new Promise((resolve) => setTimeout(resolve, 350));
  }
  await until(look, 'all to end');
}

test('every test number has an expected end', () => {
  expect(Object.keys(ENDS).sort()).toEqual(Object.keys(TEST_NUMBERS).sort());
});

test('every test number has its documented outcome, charge and refund', async () => {
  const before = await balance(world, owner.id);
  const ids = await sendTo(Object.keys(ENDS));
  expect(ids.size).toBe(20);
  const charged = before - (await balance(world, owner.id));
  await until(async () => (await asked()).filter(isFinal).length >= 3, 'the refused ones');
  const early = (await asked()).filter((s) => ['14', '15'].includes(digitsOf(s)));
  // Throttled or without an answer, and not refused.
  for (const s of early) expect(s.state.status).not.toBe('failed');
  await runUntil(async () => {
    const left = (await asked()).filter((s) => !isFinal(s));
    return left.every((s) => ['04', '19'].includes(digitsOf(s)));
  }, [1.1, 1.1, 1.1, 1.1, 3, 4]);
  expect(
    (await asked())
      .filter((s) => !isFinal(s))
      .map(digitsOf)
      .sort(),
  ).toEqual(['04', '19']);
  // Reports that are due at the end of the wait have arrived in time, and the reply STOP was answered, which is paid for.
  await runUntil(async () => {
    const every = await all();
    return every.length === 21 && every.every(isFinal);
  }, [61]);

  const rows = await asked();
  expect(
    Object.fromEntries(rows.map((s) => [digitsOf(s), [s.state.status, s.state.code]])),
  ).toEqual(
    Object.fromEntries(Object.entries(ENDS).map(([d, [status, code]]) => [d, [status, code]])),
  );
  for (const s of rows) {
    const [status, , within] = ENDS[digitsOf(s)]!;
    expect(s.meta.billing!.refunded).toBe(status === 'failed');
    // What ends by our own clock ends when it is looked at.
    if (digitsOf(s) === '04') continue;
    const endedAt = s.seenAt ?? s.deliveredAt ?? s.failedAt!;
    expect(Date.parse(endedAt) - Date.parse(s.sentAt!)).toBeLessThanOrEqual(within * 1000);
  }
  const kept = (await all()).filter((s) => s.state.status !== 'failed');
  const price = rows[0]!.meta.billing!.amount;
  expect(charged).toBeCloseTo(20 * price, 4);
  expect(before - (await balance(world, owner.id))).toBeCloseTo(kept.length * price, 4);
  expect(await problems(world)).toEqual([]);
});

test('09 and 10 reply, and the replies refer to their message', async () => {
  const ids = await sendTo(['09', '10']);
  await until(async () => (await all()).every((s) => s.sentAt), 'the submit');
  await runUntil(async () => (await owner.api(sendingsIncoming.find)).total === 2, [4]);
  const { data } = await owner.api(sendingsIncoming.find);
  const byText = new Map(data.map((m) => [m.payload.text, m]));
  expect(byText.get('STOP')).toMatchObject({
    type: 'sms',
    from: `${TEST_NUMBER_PREFIX}09`,
    to: 'MIRTEA',
    SendingId: ids.get('09'),
  });
  expect(byText.get('да')).toMatchObject({ SendingId: ids.get('10') });
});

test('16 and 17 are delivered, with the notes of the carrier', async () => {
  const ids = await sendTo(['16', '17']);
  await until(async () => (await all()).every((s) => s.sentAt), 'the submit');
  await runUntil(async () => (await all()).every(isFinal), [3]);
  for (const [digits, note] of [
    ['16', 'ported'],
    ['17', 'roaming'],
  ] as const) {
    const one = await owner.api(sendings.get, { params: { id: ids.get(digits)! } });
    expect(one.state).toEqual({
      status: 'delivered',
      outcome: 'delivered',
      error: null,
      code: null,
    });
    expect(one.timeline!.find((e) => e.event === 'delivered')!.detail).toBe(note);
  }
});

test('08 and 18 depend on the channel', async () => {
  await sendTo(['08', '18'], 'viber');
  await until(async () => (await all()).every((s) => s.sentAt), 'the submit');
  await runUntil(async () => (await all()).every(isFinal), [3]);
  const ends = Object.fromEntries((await all()).map((s) => [digitsOf(s), s.state]));
  expect(ends['08']).toMatchObject({ status: 'failed', code: 'not_a_user' });
  expect(ends['18']).toMatchObject({ status: 'delivered' });
});

test('in a bulk among others they end the same', async () => {
  const list = await contactList(world, owner.id, 30);
  const body = {
    type: 'sms',
    payload: { sender: 'MIRTEA', text: 'Hello' },
    recipient: { include: [list, ...Object.keys(ENDS).map((d) => TEST_NUMBER_PREFIX + d)] },
  };
  await owner.api(sendings.create, { body: body as never });
  await until(async () => (await all()).length === 50, 'the sendings');
  await runUntil(async () => (await all()).every(isFinal), [1.1, 1.1, 1.1, 1.1, 3, 61, 5]);
  const rows = (await asked()).filter((s) => s.recipient.startsWith(TEST_NUMBER_PREFIX));
  expect(
    Object.fromEntries(rows.map((s) => [digitsOf(s), [s.state.status, s.state.code]])),
  ).toEqual(
    Object.fromEntries(Object.entries(ENDS).map(([d, [status, code]]) => [d, [status, code]])),
  );
  expect(await problems(world)).toEqual([]);
});

test('a message that the carrier rejects stays failed', async () => {
  await setCarrier(world, { rejected: 1 });
  const list = await contactList(world, owner.id, 5, { first: 900 });
  const body = {
    type: 'sms',
    payload: { sender: 'MIRTEA', text: 'Hello' },
    recipient: { include: [list] },
  };
  await owner.api(sendings.create, { body: body as never });
  await runUntil(async () => (await all()).length === 5 && (await all()).every(isFinal), [5]);
  world.clock.forward(70);
  await new Promise((resolve) => setTimeout(resolve, 600));
  for (const s of await all())
    expect(s.state).toMatchObject({ status: 'failed', code: 'rejected' });
  expect(await balance(world, owner.id)).toBe(1000);
  expect(await problems(world)).toEqual([]);
});
