import { sendings, tasks, type Sending, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Carrier } from '../carrier.ts';
import { approve, contactList, finished, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
let carrier: Carrier;

beforeAll(async () => {
  // No lease ends because a test moves the clock.
  world = await World.start({ LEASE_SECONDS: '3600' });
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
  await world.db.query(`update channels set is_active = false`);
  carrier = await Carrier.start(world, ['sms', 'viber']);
});

const payload = { sender: 'MIRTEA', text: 'Hello' };
const send = async (schedule: object, over: object = {}): Promise<string> => {
  const body = { type: 'sms', payload, recipient: '+79161234567', schedule, ...over } as never;
  return ((await owner.api(sendings.create, { body })) as SendingReceipt).id;
};
const read = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });
const statusOf = async (id: string) => (await read(id)).state.status;
const isFailed = (id: string) =>
  until(async () => (await statusOf(id)) === 'failed', 'the end of the message');
/** All of its rate is used up for days. */
const hold = async ({ name }: Carrier) => {
  await world.db.query(`update channels set rate = 0.001, burst = 1 where name = $1`, [name]);
  await world.db.query(
    `insert into channel_states (channel, full_at) values ($1, $2) on conflict (channel) do update set full_at = excluded.full_at`,
    [name, world.clock.now().getTime() + 1e9],
  );
  world.forgetChannels();
};

test('what waits beyond its validity fails as expired, refunded; what is valid or has no limit is sent', async () => {
  await hold(carrier);
  const at = (seconds: number) =>
    new Date(world.clock.now().getTime() + seconds * 1000).toISOString();
  const short = await send({ validUntil: 600 });
  const timed = await send({ validUntil: at(600) });
  const long = await send({ validUntil: 7200 });
  const endless = await send({});
  // However slow the machine is, not over yet.
  world.clock.forward(300);
  expect(await statusOf(short)).toBe('pending');
  world.clock.forward(301);
  await isFailed(short);
  await isFailed(timed);
  for (const id of [short, timed])
    expect(await read(id)).toMatchObject({
      state: { code: 'expired' },
      meta: { billing: { refunded: true } },
    });
  await world.db.query(`update channels set rate = null where name = $1`, [carrier.name]);
  world.forgetChannels();
  await until(() => Promise.resolve(carrier.taken.includes(endless)), 'the others');
  await until(() => Promise.resolve(carrier.taken.includes(long)), 'the others');
  expect(carrier.taken).not.toContain(short);
  expect(await problems(world)).toEqual([]);
});

test('the carrier gets to know how long a message is valid', async () => {
  const id = await send({ validUntil: 600 });
  await until(() => Promise.resolve(carrier.taken.includes(id)), 'the submit');
  const [given] = carrier.calls.flat() as unknown as {
    validity: { seconds: number; until: string };
  }[];
  expect(given!.validity.seconds).toBeGreaterThan(570);
  expect(given!.validity.seconds).toBeLessThanOrEqual(600);
  const left = Date.parse(given!.validity.until) - world.clock.now().getTime();
  expect(left).toBeGreaterThan(540_000);
  expect(left).toBeLessThanOrEqual(600_000);
});

test('a bulk expires while it is paused; a fallback has a time of its own', async () => {
  await hold(carrier);
  const recipient = { include: [await contactList(world, owner.id, 3)] };
  const fallbacks = [{ type: 'viber', payload, $options: { onStatus: ['failed'] } }];
  const task = await send({ validUntil: 60 }, { recipient });
  const chain = await send({ validUntil: 60 }, { fallbacks });
  await until(async () => {
    const { meta } = await owner.api(tasks.get, { params: { id: task } });
    return meta.counters.total === 3;
  }, 'the recipients');
  await owner.api(tasks.update, { params: { id: task }, body: { state: 'paused' } });
  world.clock.forward(61);
  await until(async () => {
    const { meta } = await owner.api(tasks.get, { params: { id: task } });
    return meta.counters.errored === 3;
  }, 'the end of its messages');
  await isFailed(chain);
  const next = await until(async () => {
    const { data } = await owner.api(sendings.find, { query: { filter: { chainId: chain } } });
    return data.find(({ attempt }) => attempt === 1);
  }, 'the fallback');
  expect(await statusOf(next.id)).toBe('pending');
  world.clock.forward(61);
  await isFailed(next.id);
  await owner.api(tasks.update, { params: { id: task }, body: { state: 'scheduled' } });
  await finished(owner, task);
  expect(await problems(world)).toEqual([]);
});

test('messages that the carrier may have do not expire before it reports', async () => {
  carrier.isMute = true;
  const id = await send({ validUntil: 60 });
  await until(async () => {
    const rows = await world.db.query(
      `select 1 from batches b join sendings s on s.batch_id = b.id where s.id = $1 and b.stage = 4`,
      [id],
    );
    return rows.length > 0;
  }, 'the unknown outcome');
  world.clock.forward(120);
  await carrier.report([{ reference: id, status: 'delivered' }]);
  await until(async () => (await statusOf(id)) === 'delivered', 'the report');
});

test.each([
  ['too short', () => ({ validUntil: 29 }), 'schedule.validUntil'],
  ['too long', () => ({ validUntil: 604_801 }), 'schedule.validUntil'],
  [
    'over',
    () => ({ validUntil: new Date(world.clock.now().getTime() - 1000).toISOString() }),
    'schedule.validUntil',
  ],
  [
    'over at the start',
    () => {
      const at = (hours: number) =>
        new Date(world.clock.now().getTime() + hours * 3_600_000).toISOString();
      return { delay: at(2), validUntil: at(1) };
    },
    'schedule.validUntil',
  ],
])('a validity that is %s is refused', async (_, schedule, field) => {
  await expect(send(schedule())).rejects.toMatchObject({
    body: { code: 'validation', data: [{ field }] },
  });
});
