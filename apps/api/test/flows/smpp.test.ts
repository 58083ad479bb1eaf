import { channels, sendings, sendingsIncoming, type SendingReceipt } from '@heliograph/contract';
import { Smsc, type SmscOptions } from '@heliograph/simulators';
import { STATUS } from '@heliograph/smpp';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, contactList, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
let smsc: Smsc;
let channel: string;

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false`);
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
});
afterEach(() => smsc.close());

const account = { systemId: 'helio', password: 'secret' };
/** Of an SMSC that delivers everything at once. */
const INSTANT = { sentDelay: [0, 0], deliveredDelay: [0, 0], failed: 0, temporary: 0, replies: 0 };

/** A channel to an SMSC of its own. */
async function connect(options: object = {}, simulated: Partial<SmscOptions> = {}): Promise<void> {
  smsc = new Smsc({ ...account, profile: INSTANT as never, ...simulated });
  const port = await smsc.listen(0, '127.0.0.1');
  channel = `smsc-${randomUUID().slice(0, 8)}`;
  await world.db.query(
    `insert into channels (name, driver, types, priority, options) values ($1, 'smpp', '{sms}', 10, $2)`,
    [channel, { url: `smpp://127.0.0.1:${port}`, ...account, ...options }],
  );
  world.forgetChannels();
}

const payload = { sender: 'MIRTEA', text: 'Привет €' };
const single = async (more: object = {}) => {
  const body = { type: 'sms', payload, recipient: '+79161234567', ...more };
  return ((await owner.api(sendings.create, { body: body as never })) as SendingReceipt).id;
};
const stateOf = async (id: string) => (await owner.api(sendings.get, { params: { id } })).state;
const reaches = (id: string, status: string) =>
  until(async () => {
    const state = await stateOf(id);
    return state.status === status && state;
  }, status);
const batches = () =>
  world.db.query<{ stage: number; size: number; unknown: number }>(
    `select stage, size::int, unknown_outcomes as unknown from batches where channel = $1 order by id`,
    [channel],
  );

test('a message goes over a session, and its receipt comes back', async () => {
  await connect();
  const id = await single();
  await reaches(id, 'delivered');
  expect(smsc.log).toMatchObject([
    { source: 'MIRTEA', recipient: '+79161234567', text: payload.text, registeredDelivery: 1 },
  ]);
  expect(await problems(world)).toEqual([]);
});

test('a long message goes in parts, and is delivered when all of them are', async () => {
  await connect();
  const text = '0123456789'.repeat(40);
  const id = await single({ payload: { ...payload, text } });
  await reaches(id, 'delivered');
  const parts = smsc.log.toSorted((a, b) => a.part!.index - b.part!.index);
  expect(parts.map(({ part }) => part!.total)).toEqual([3, 3, 3]);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  await until(async () => smsc.mailbox.acknowledged === 3, 'the receipts');
  // One part of a message to this number fails.
  const failing = await single({ payload: { ...payload, text }, recipient: '+79990000013' });
  expect(await reaches(failing, 'failed')).toMatchObject({ status: 'failed' });
  expect(await problems(world)).toEqual([]);
});

test('receipts may come before the answers', async () => {
  await connect({}, { receiptsFirst: true, answerMs: 500 });
  const id = await single({ payload: { ...payload, text: '0123456789'.repeat(40) } });
  await until(async () => smsc.mailbox.acknowledged > 0, 'a receipt');
  await reaches(id, 'delivered');
  expect(await problems(world)).toEqual([]);
});

test('what a person writes is a message to the account', async () => {
  await connect();
  const id = await single();
  await reaches(id, 'delivered');
  const text = `Long ${'0123456789'.repeat(20)} Ёлки`;
  smsc.receive('+79161234567', 'MIRTEA', text);
  const incoming = await until(async () => {
    const { data } = await owner.api(sendingsIncoming.find, { query: {} });
    return data[0];
  }, 'the message');
  expect(incoming).toMatchObject({ from: '+79161234567', payload: { text }, SendingId: id });
});

test('what a person writes to a number is for the sender name without its plus', async () => {
  const sender = '79160001122';
  await approve(world, owner.id, sender);
  await connect();
  const id = await single({ payload: { sender, text: 'Tea' } });
  await reaches(id, 'delivered');
  smsc.receive('+79161234567', sender, 'Yes');
  const incoming = await until(async () => {
    const { data } = await owner.api(sendingsIncoming.find, { query: {} });
    return data[0];
  }, 'the message');
  expect(incoming).toMatchObject({ to: sender, payload: { text: 'Yes' }, SendingId: id });
});

test('a refusal for the rate delays, and loses nothing', async () => {
  await connect();
  // The number is throttled three times.
  const id = await single({ recipient: '+79990000014' });
  await reaches(id, 'delivered');
  expect(smsc.log.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 3 }, () => STATUS.ESME_RTHROTTLED),
    STATUS.ESME_ROK,
  ]);
  expect(await problems(world)).toEqual([]);
});

test('a refusal of the message is its reason, in the words of the carrier for managers', async () => {
  await connect();
  const id = await single({ recipient: '+79990000018' });
  expect(await reaches(id, 'failed')).toMatchObject({ code: 'invalid_recipient' });
});

test('a session that breaks in the middle of a window: nothing is sent twice', async () => {
  await connect({ window: 5 }, { breakAfter: 12, answerMs: 50 });
  const recipient = { include: [await contactList(world, owner.id, 40)] };
  await owner.api(sendings.create, { body: { type: 'sms', payload, recipient } as never });
  await until(async () => smsc.log.length > 12, 'the break');
  smsc.options.breakAfter = undefined;
  await until(
    async () => {
      const rows = await batches();
      return rows.length > 0 && rows.every(({ stage }) => stage >= 3);
    },
    'the end of the submits',
    60_000,
  );
  const submits = Map.groupBy(smsc.log, (part) => part.recipient);
  expect(submits.size).toBe(40);
  expect([...submits.values()].every((parts) => parts.length === 1)).toBe(true);
  const unknown = (await batches()).filter((batch) => batch.stage > 3);
  expect(unknown.length).toBeGreaterThan(0);
  expect(await problems(world)).toEqual([]);
});

test('a bind that is refused is the reason why the channel is down', async () => {
  await connect({ password: 'wrong' });
  const id = await single();
  const administrator = await world.person({ level: 'manager', grants: { add: ['channels.get'] } });
  const error = await until(async () => {
    const shown = await administrator.api(channels.get, { params: { channel } });
    return shown.state.status === 'failing' && shown.state.error;
  }, 'the failure');
  expect(error).toContain('ESME_RINVPASWD');
  expect((await stateOf(id)).status).not.toBe('failed');
  expect(smsc.log).toEqual([]);
});
