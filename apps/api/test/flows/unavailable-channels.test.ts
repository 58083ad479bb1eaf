import { channels, sendings, tasks, type Sending, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ChannelDown } from '../../src/channels/channel.ts';
import { ChannelStatesService } from '../../src/features/channels/channel-states.service.ts';
import { Carrier } from '../carrier.ts';
import { approve, contactList, finished, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
let carrier: Carrier;

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
  await world.db.query(`update channels set is_active = false where driver = 'http'`);
  carrier = await Carrier.start(world, ['sms']);
});

const DAY = 24 * 3600;
const payload = { sender: 'MIRTEA', text: 'Hello' };

const single = async (recipient = '+79161234567') =>
  (
    (await owner.api(sendings.create, {
      body: { type: 'sms', payload, recipient } as never,
    })) as SendingReceipt
  ).id;

const bulk = async (people: number) => {
  const recipient = { include: [await contactList(world, owner.id, people)] };
  const body = { type: 'sms', payload, recipient };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
};

const batchOf = async (id: string) => {
  const [row] = await world.db.query<{
    id: string;
    stage: number;
    tries: number;
    due: Date;
    down: Date | null;
  }>(
    `select b.id, b.stage, b.tries, b.due_at as due, b.down_since as down from batches b join sendings s on s.batch_id = b.id where s.id = $1`,
    [id],
  );
  return row!;
};
const statusOf = async (id: string): Promise<Sending> =>
  owner.api(sendings.get, { params: { id } });
const stateOf = async () => {
  const manager = await world.person({ level: 'manager', grants: { add: ['channels.get'] } });
  return (await manager.api(channels.get, { params: { channel: carrier.name } })).state;
};

const failuresOf = async (channel: string) => {
  const [row] = await world.db.query<{ failures: number }>(
    `select failures from channel_states where channel = $1`,
    [channel],
  );
  return row?.failures ?? 0;
};

const breakSettings = async () => {
  await world.db.query(`update channels set options = options - 'url' where name = $1`, [
    carrier.name,
  ]);
  world.forgetChannels();
};

test('a batch that was throttled more often than its counter holds is submitted at last', async () => {
  carrier.isBusy = true;
  const id = await single();
  await until(async () => (await batchOf(id)).tries > 0, 'the first refusal');
  await world.db.query(`update batches set tries = 32767 where id = $1 and stage = 0`, [
    (await batchOf(id)).id,
  ]);
  const { due } = await batchOf(id);
  await until(async () => (await batchOf(id)).due > due, 'another refusal');
  carrier.isBusy = false;
  await until(async () => (await batchOf(id)).stage === 3, 'the submit');
  expect(carrier.taken).toEqual([id]);
});

test('messages that are throttled one by one count up to the limit, and no answer is repeated at once', async () => {
  let isThrottled = true;
  let calls = 0;
  carrier.meanwhile = () => {
    calls++;
    return Promise.resolve(
      (isThrottled ? { result: 'throttled', retryAfter: 0 } : { result: 'accepted' }) as {
        result: 'accepted';
      },
    );
  };
  const id = await single();
  await until(async () => (await batchOf(id)).tries > 0, 'the first answer');
  await world.db.query(`update batches set tries = 32767 where id = $1`, [(await batchOf(id)).id]);
  const before = calls;
  const started = Date.now();
  await until(() => Promise.resolve(calls >= before + 3), 'three more answers');
  // A second each, although the carrier names none.
  expect(Date.now() - started).toBeGreaterThan(1900);
  expect((await batchOf(id)).tries).toBe(32767);
  isThrottled = false;
  await until(async () => (await batchOf(id)).stage === 3, 'the submit');
});

test('messages of a carrier that only throttles fail after a day; of a slow one that takes others they wait on', async () => {
  // Throttles everything until it knows better.
  let takes: (reference: string) => boolean = () => false;
  carrier.meanwhile = ({ reference }) =>
    Promise.resolve(
      (takes(reference) ? { result: 'accepted' } : { result: 'throttled', retryAfter: 1000 }) as {
        result: 'accepted';
      },
    );
  const waiting = await single();
  await until(async () => (await batchOf(waiting)).down !== null, 'the first answer');
  takes = (reference) => reference !== waiting;
  world.clock.forward(0.9 * DAY);
  const taken = await single('+79161234568');
  await until(async () => (await batchOf(taken)).stage === 3, 'the other');
  await until(async () => (await stateOf()).submittedAt !== null, 'the state of the channel');
  world.clock.forward(0.2 * DAY);
  await until(async () => (await batchOf(waiting)).due > world.clock.now(), 'the next answer');
  expect((await statusOf(waiting)).state.status).toBe('pending');
  takes = () => false;
  world.clock.forward(DAY + 60);
  await until(async () => (await statusOf(waiting)).state.status === 'failed', 'the end');
  expect(await statusOf(waiting)).toMatchObject({
    state: { code: 'channel_down' },
    meta: { billing: { refunded: true } },
  });
  expect(await problems(world)).toEqual([]);
});

test('a channel that cannot be opened is down: its state says so, bulks are written, and messages fail after a day', async () => {
  await breakSettings();
  const [one, task] = [await single(), await bulk(250)];
  const error = await until(async () => {
    const { status, error } = await stateOf();
    return status === 'failing' && error;
  }, 'the state of the channel');
  expect(error).toContain('cannot be opened');
  expect(error).toContain('url');
  await until(
    async () =>
      (
        await world.db.query(
          `select 1 from batches where task_id = $1 and down_since is not null`,
          [task],
        )
      ).length > 0,
    'the bulk to be refused',
  );
  const { meta } = await owner.api(tasks.get, { params: { id: task } });
  expect(meta.counters.total).toBe(250);
  // Half a day is no day.
  world.clock.forward(DAY / 2);
  await until(async () => (await batchOf(one)).due > world.clock.now(), 'the next try');
  expect((await statusOf(one)).state.status).toBe('pending');
  world.clock.forward(DAY / 2 + 120);
  expect(await finished(owner, task)).toMatchObject({ state: 'failed', reason: 'channel_down' });
  await until(async () => (await statusOf(one)).state.status === 'failed', 'the single');
  expect(await statusOf(one)).toMatchObject({
    state: { code: 'channel_down' },
    meta: { billing: { refunded: true } },
  });
  expect(await problems(world)).toEqual([]);
});

test('messages of a channel that can be opened again are submitted, also those whose outcome was unknown', async () => {
  await world.db.query(
    `update channels set options = options || '{"deduplicates": true}' where name = $1`,
    [carrier.name],
  );
  world.forgetChannels();
  carrier.isMute = true;
  const lost = await single();
  await until(() => Promise.resolve(carrier.taken.includes(lost)), 'the call');
  await until(async () => (await batchOf(lost)).stage === 0, 'the batch to wait');
  // As if its worker had died in the next submit, and the settings had been broken since.
  const { options } = (
    await world.db.query<{ options: object }>(`select options from channels where name = $1`, [
      carrier.name,
    ])
  )[0]!;
  await breakSettings();
  await world.db.query(
    `update batches set stage = 2, lease = lease + 1, lease_until = now() - interval '1 minute' where id = $1`,
    [(await batchOf(lost)).id],
  );
  const waiting = await single('+79161234568');
  await until(async () => (await batchOf(waiting)).down !== null, 'the channel to be down');
  await until(async () => (await batchOf(lost)).stage === 0, 'the batch to be reclaimed');
  carrier.isMute = false;
  await world.db.query(`update channels set options = $2 where name = $1`, [carrier.name, options]);
  world.forgetChannels();
  world.clock.forward(400);
  await until(async () => (await batchOf(lost)).stage === 3, 'the resend');
  await until(async () => (await batchOf(waiting)).stage === 3, 'the one that waited');
  expect(carrier.taken.filter((id) => id === lost)).toHaveLength(2);
  expect(carrier.taken.filter((id) => id === waiting)).toHaveLength(1);
});

test('a channel that is down gets one call at growing intervals, and all that waits once it answers', async () => {
  carrier.isBusy = true;
  const started = Date.now();
  const options = { onStatus: ['failed'] };
  const fallbacks = [{ type: 'viber', payload, options }];
  const ids = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const body = { type: 'sms', payload, recipient: `+791612345${i + 10}`, fallbacks };
      return ((await owner.api(sendings.create, { body: body as never })) as SendingReceipt).id;
    }),
  );
  const failures = () => failuresOf(carrier.name);
  await until(async () => (await failures()) === 3, 'three refusals in a row');
  // The last two seconds of the wait lie between the second and the third.
  expect(Date.now() - started).toBeGreaterThan(1900);
  // As many calls at a time as connections, and then single ones, although thirty wait.
  const { refused } = carrier;
  expect(refused).toBeLessThanOrEqual(4 + (await failures()));
  carrier.isBusy = false;
  await until(() => Promise.resolve(carrier.taken.length === 30), 'all of them');
  expect(carrier.taken.toSorted()).toEqual(ids.toSorted());
  // The carrier has taken them before its answer is recorded.
  await until(async () => (await failures()) === 0, 'no refusals in a row');
  await until(async () => (await stateOf()).status === 'working', 'the state of the channel');
});

test('of the calls that were leased before a channel was down only the first counts, whenever they began', async () => {
  const states = world.api.get(ChannelStatesService, { strict: false });
  const refuse = (isProbe: boolean) =>
    states.down(carrier.name, new ChannelDown('busy', 1000), isProbe);
  await refuse(false);
  await refuse(false);
  expect(await failuresOf(carrier.name)).toBe(1);
  await refuse(true);
  await refuse(false);
  expect(await failuresOf(carrier.name)).toBe(2);
  await states.up(carrier.name);
  await refuse(false);
  expect(await failuresOf(carrier.name)).toBe(1);
});

test('messages that were never tried fail with their channel when they have waited for a day', async () => {
  carrier.isBusy = true;
  await single();
  await until(() => Promise.resolve(carrier.refused > 0), 'the first refusal');
  const untried = await bulk(20);
  const written = `select 1 from batches where task_id = $1`;
  await until(async () => (await world.db.query(written, [untried])).length > 0, 'the bulk');
  world.clock.forward(DAY - 3600);
  const late = await single('+79161234568');
  const refused = carrier.refused;
  await until(() => Promise.resolve(carrier.refused > refused), 'another refusal');
  world.clock.forward(3600 + 120);
  expect(await finished(owner, untried)).toMatchObject({ state: 'failed', reason: 'channel_down' });
  // It waits, or is in the call that tries the channel.
  expect((await statusOf(late)).state.status).toMatch(/^(pending|processing)$/);
  expect(await problems(world)).toEqual([]);
});
