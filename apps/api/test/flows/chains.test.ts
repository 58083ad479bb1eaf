import { sendings, type Sending } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve, problems, setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
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
  owner = await world.person({ balance: 100 });
  await approve(world, owner.id);
});

const payload = { sender: 'MIRTEA', text: 'Your code is 1234' };
const post = (body: object, query = '', headers = {}, who = owner) =>
  raw(world, who, 'POST', `/sendings${query}`, body, headers);
const get = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });
const ended = (id: string) =>
  until(async () => {
    const sending = await get(id);
    return ['delivered', 'seen', 'failed'].includes(sending.state.status) && sending;
  }, `the sending ${id} to end`);
const chainOf = async (id: string) =>
  (
    await owner.api(sendings.find, {
      query: { filter: { chainId: id }, order: [{ field: 'createdAt', direction: 'asc' }] },
    })
  ).data;

const sms = { type: 'sms', payload: { sender: 'MIRTEA', text: 'By SMS' } };
/** Viber to a test number, then an SMS. */
const withFallback = (digits: string, $options: object) =>
  post({
    type: 'viber',
    payload,
    recipient: `+799900000${digits}`,
    fallbacks: [{ ...sms, $options }],
  });
const sent = (id: string) =>
  until(async () => (await get(id)).sentAt !== null, `the sending ${id} to be handed over`);

test('a failure starts the fallback by status, under the same chain, charged like any other', async () => {
  const { json } = await withFallback('02', { onStatus: ['failed'] });
  await sent(json.id);
  world.clock.forward(3);
  const chain = await until(async () => {
    const attempts = await chainOf(json.id);
    return attempts.length === 2 && attempts;
  }, 'the fallback');
  expect(chain.map((s) => [s.type, s.attempt, s.chainId])).toEqual([
    ['viber', 0, json.id],
    ['sms', 1, json.id],
  ]);
  expect(chain[0]).toMatchObject({ state: { code: 'absent_subscriber' } });
  expect(chain[1]!.payload.text).toBe('By SMS');
  expect(chain[0]!.meta.billing!.refunded).toBe(true);
  expect(await problems(world)).toEqual([]);
});

test('silence starts the fallback by timeout, counted from the handover, and not what is excepted', async () => {
  const options = { onTimeout: { timeout: 20, except: ['delivered', 'seen'] } };
  const silent = await withFallback('04', options);
  const delivered = await withFallback('00', options);
  await sent(silent.json.id);
  await sent(delivered.json.id);
  world.clock.forward(10);
  await ended(delivered.json.id);
  expect(await chainOf(silent.json.id)).toHaveLength(1);
  world.clock.forward(12);
  await until(async () => (await chainOf(silent.json.id)).length === 2, 'the fallback');
  expect(await chainOf(delivered.json.id)).toHaveLength(1);
  expect(await problems(world)).toEqual([]);
});

test('a reply starts the fallback: the same sender and phone, trimmed, in any case', async () => {
  const { json } = await withFallback('04', { onIncomingPayload: { text: 'Да' } });
  await sent(json.id);
  const reply = (over: object, text = ' дА ') =>
    raw(world, owner, 'POST', '/sendingsIncoming', {
      type: 'viber',
      from: '+79990000004',
      to: 'MIRTEA',
      payload: { text },
      ...over,
    });
  const strangers: [object, string?][] = [
    [{ to: 'OTHER' }],
    [{ from: '+79990000005' }],
    [{ type: 'sms' }],
    [{}, 'да, конечно'],
    [{}, ''],
  ];
  for (const [over, text] of strangers) expect((await reply(over, text)).status).toBe(201);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await chainOf(json.id)).toHaveLength(1);
  const answer = await reply({ from: '8 999 000-00-04' });
  expect(answer.json).toMatchObject({ SendingId: json.id, from: '+79990000004' });
  await until(async () => (await chainOf(json.id)).length === 2, 'the fallback');
  expect((await reply({})).status).toBe(201);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await chainOf(json.id)).toHaveLength(2);
  expect(await problems(world)).toEqual([]);
});

test('an empty reply text is off', async () => {
  const { status, json } = await withFallback('04', { onIncomingPayload: { text: ' ' } });
  expect([status, json.code]).toEqual([422, 'validation']);
  const mixed = await withFallback('04', {
    onStatus: ['failed'],
    onIncomingPayload: { text: '' },
  });
  await sent(mixed.json.id);
  await raw(world, owner, 'POST', '/sendingsIncoming', {
    type: 'viber',
    from: '+79990000004',
    to: 'MIRTEA',
    payload: { text: '' },
  });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await chainOf(mixed.json.id)).toHaveLength(1);
});

test('a fallback that cannot be paid ends failed, with its reason and without a charge', async () => {
  const poor = await world.person({ balance: 2.5 });
  await approve(world, poor.id);
  const { json } = await post(
    {
      type: 'viber',
      payload,
      recipient: '+79990000004',
      fallbacks: [{ ...sms, $options: { onTimeout: { timeout: 5, except: ['delivered'] } } }],
    },
    '',
    {},
    poor,
  );
  await until(async () => {
    const [row] = await world.db.query(`select 1 from sendings_now where id = $1 and stage = 3`, [
      json.id,
    ]);
    return row;
  }, 'the handover');
  world.clock.forward(6);
  const chain = await until(async () => {
    const { data } = await poor.api(sendings.find, { query: { filter: { chainId: json.id } } });
    return data.length === 2 && data;
  }, 'the fallback');
  expect(chain.find((s) => s.attempt === 1)).toMatchObject({
    state: { status: 'failed', code: 'insufficient_funds' },
    meta: { billing: null },
  });
  expect(await problems(world)).toEqual([]);
});
