import { sendings, sendingsIncoming, tasks, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { accepted, DriverPeer, unsent } from '../driver.ts';
import { approve, contactList, problems } from '../factories.ts';
import { skippingTime } from '../skipped-time.ts';
import { type Person, until, World } from '../world.ts';

/** Longer than any machine stands still. */
const LEASE_SECONDS = 600;
let world: World;
let owner: Person;
let skip: (seconds: number) => void;

beforeAll(async () => {
  world = await World.start({ LEASE_SECONDS: String(LEASE_SECONDS) });
  skip = skippingTime(world.clock);
  await world.startWorker();
});
afterAll(async () => {
  await world.stop();
  vi.restoreAllMocks();
});
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false where name <> 'simulator'`);
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
});

const payload = { sender: 'MIRTEA', text: 'Hello' };
const single = async (recipient = '+79161234567', more: object = {}) => {
  const body = { type: 'sms', payload, recipient, ...more };
  return ((await owner.api(sendings.create, { body: body as never })) as SendingReceipt).id;
};
const bulk = async (people: number) => {
  const recipient = { include: [await contactList(world, owner.id, people)] };
  const body = { type: 'sms', payload, recipient };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
};
const statusOf = async (id: string) => {
  const { state } = await owner.api(sendings.get, { params: { id } });
  return state.status;
};
const batches = (channel: string) =>
  world.db.query<{ stage: number; size: number; tries: number; downSince: Date | null }>(
    `select stage, size, tries, down_since as "downSince" from batches where channel = $1 order by stage, id`,
    [channel],
  );

test('what has not left is submitted again soon, and no try is counted', async () => {
  const peer = await DriverPeer.start(world, ['sms']);
  // The carrier takes one message of the first call; then none leaves for two calls.
  const answers: DriverPeer['send'][] = [
    (batch) => Promise.resolve(batch.map((one, i) => (i ? unsent(one) : accepted(one)))),
    (batch) => Promise.resolve(batch.map(unsent)),
    (batch) => Promise.resolve(batch.map(unsent)),
  ];
  const tries: number[] = [];
  const times: number[] = [];
  const waiting: Awaited<ReturnType<typeof batches>>[] = [];
  peer.send = async (batch, context, opened) => {
    times.push(performance.now());
    tries.push(...batch.map((one) => one.tries));
    waiting.push(await batches(peer.name));
    const answer = answers.shift();
    return answer ? answer(batch, context, opened) : batch.map(accepted);
  };
  const id = await bulk(5);
  await until(
    async () =>
      (await world.db.query(`select 1 from batches where channel = $1 and stage <> 3`, [peer.name]))
        .length === 0 && peer.calls.length === 4,
    'all messages',
  );
  expect(peer.calls.map((call) => call.length)).toEqual([5, 4, 4, 4]);
  expect(new Set(tries)).toEqual(new Set([0]));
  expect(waiting.at(-1)!.map(({ tries: t, downSince }) => ({ t, downSince }))).toEqual([
    { t: 0, downSince: null },
    { t: 0, downSince: null },
  ]);
  // At once after a call that gave the carrier something, never in a loop after one that did not.
  expect(times[2]! - times[1]!).toBeGreaterThan(900);
  expect(times[3]! - times[2]!).toBeGreaterThan(900);
  const { meta } = await owner.api(tasks.get, { params: { id } });
  expect(meta.counters).toMatchObject({ unknownOutcomes: 0 });
  expect(await problems(world)).toEqual([]);
});

test('a submit that makes progress may take longer than a lease', async () => {
  const peer = await DriverPeer.start(world, ['sms']);
  let isAborted: boolean | undefined;
  peer.send = async (batch, { signal, progress }) => {
    for (let n = 0; n < 6; n++) {
      skip(LEASE_SECONDS / 4);
      const end = new Date(world.clock.now().getTime() + LEASE_SECONDS * 800);
      const renewed = `select 1 from batches where channel = $1 and lease_until > $2`;
      await until(async () => {
        progress();
        return (await world.db.query(renewed, [peer.name, end])).length;
      }, 'the renewal of the lease');
    }
    isAborted = signal.aborted;
    return batch.map(accepted);
  };
  const id = await single();
  await until(async () => (await statusOf(id)) === 'sent', 'the end of the submit');
  expect(isAborted).toBe(false);
  expect(peer.calls).toEqual([[id]]);
  const [batch] = await world.db.query<{ unknownOutcomes: number }>(
    `select unknown_outcomes as "unknownOutcomes" from batches where channel = $1`,
    [peer.name],
  );
  expect(batch).toEqual({ unknownOutcomes: 0 });
});

test('a submit without progress is told to end before its lease does', async () => {
  const peer = await DriverPeer.start(world, ['sms']);
  // The lease is short where the call is timed, and does not end in the database.
  const stopped = vi.spyOn(world.clock, 'now').mockReturnValue(world.clock.now());
  Object.assign(world.config, { LEASE_SECONDS: 4 });
  const goOn = () => {
    stopped.mockRestore();
    Object.assign(world.config, { LEASE_SECONDS });
  };
  onTestFinished(goOn);
  const over = Promise.withResolvers<void>();
  peer.send = async (batch, { signal }) => {
    if (peer.calls.length > 1) return batch.map(accepted);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    over.resolve();
    return batch.map(unsent);
  };
  const id = await single();
  await over.promise;
  await until(async () => (await batches(peer.name))[0]!.stage === 0, 'the end of the submit');
  goOn();
  await until(async () => (await statusOf(id)) === 'sent', 'the second submit');
  expect(peer.calls).toEqual([[id], [id]]);
});

test('what a carrier pushes is stored when it may be acknowledged', async () => {
  const peer = await DriverPeer.start(world, ['sms']);
  peer.send = (batch) =>
    Promise.resolve(
      batch.map(({ reference }) => ({
        reference,
        result: 'accepted',
        externalIds: [`at-${reference}`],
      })),
    );
  const [byId, byReference] = [await single(), await single('+79161234568')];
  for (const id of [byId, byReference])
    await until(async () => (await statusOf(id)) === 'sent', 'the submits');
  const { inbox } = peer.opened[0]!.context;
  const at = world.clock.now();
  await inbox.reports([
    { externalId: `at-${byId}`, status: 'delivered', at, note: 'ported' },
    { reference: byReference, status: 'failed', code: 'landline', at },
    { externalId: `at-${'x'.repeat(300)}`, status: 'delivered', at },
    { externalId: 'nul\0', status: 'delivered', at },
    { reference: 'no id of ours', status: 'delivered', at },
  ]);
  expect([await statusOf(byId), await statusOf(byReference)]).toEqual(['delivered', 'failed']);

  await inbox.messages([
    { id: 'm-1', from: '79161234567', to: 'mirtea', text: 'Yes\0 \ud83d!', at },
    { from: '+79161234568', to: 'MIRTEA', text: 'No', at: new Date(0) },
    { from: '+79169999999', to: 'MIRTEA', text: 'Who are you?', at },
    { from: '', to: 'MIRTEA', text: 'From nobody', at },
  ]);
  await inbox.messages([{ id: 'm-1', from: '79161234567', to: 'mirtea', text: 'Yes', at }]);
  const { data } = await owner.api(sendingsIncoming.find, { query: {} });
  expect(
    data
      .map(({ from, payload: { text }, SendingId }) => ({ from, text, SendingId }))
      .toSorted((a, b) => (a.from < b.from ? -1 : 1)),
  ).toEqual([
    { from: '+79161234567', text: 'Yes \ufffd!', SendingId: byId },
    { from: '+79161234568', text: 'No', SendingId: byReference },
  ]);
  // The clock of the carrier was wrong.
  for (const { createdAt } of data)
    expect(Math.abs(new Date(createdAt).getTime() - at.getTime())).toBeLessThan(60_000);
});

test('a push that cannot be stored is refused, so that the carrier repeats it', async () => {
  const peer = await DriverPeer.start(world, ['sms']);
  const id = await single();
  await until(async () => (await statusOf(id)) === 'sent', 'the submit');
  const { inbox } = peer.opened[0]!.context;
  await world.db.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by a test'; end $$`,
  );
  await world.db.query(
    `create trigger refuse before update on sendings for each row when (new.id = '${id}') execute function refuse()`,
  );
  const report = { reference: id, status: 'delivered', at: world.clock.now() } as const;
  const pushed = inbox.reports([report]).then(
    () => 'stored',
    () => 'refused',
  );
  expect(await pushed).toBe('refused');
  await world.db.query(`drop function refuse cascade`);
  await inbox.reports([report]);
  expect(await statusOf(id)).toBe('delivered');
});
