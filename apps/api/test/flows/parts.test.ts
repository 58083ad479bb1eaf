import { sendings, type SendingReceipt } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CarrierReport } from '../../src/channels/channel.ts';
import { CarrierReportsService } from '../../src/features/sendings/reports/carrier-reports.service.ts';
import { Carrier } from '../carrier.ts';
import { DriverPeer } from '../driver.ts';
import { approve, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

/** Messages whose carrier reports each of their parts. */
let world: World;
let owner: Person;
let peer: DriverPeer;
let reports: CarrierReportsService;
/** Runs between the call and the recording of its results. */
let meanwhile: (id: string) => Promise<void>;

beforeAll(async () => {
  world = await World.start();
  const worker = await world.startWorker();
  reports = worker.get(CarrierReportsService, { strict: false });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false where name <> 'simulator'`);
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
  meanwhile = () => Promise.resolve();
  peer = await DriverPeer.start(world, ['sms']);
  peer.send = async (batch) => {
    for (const { reference } of batch) await meanwhile(reference);
    return batch.map(({ reference }) => ({
      reference,
      result: 'accepted',
      externalIds: partsOf(reference),
    }));
  };
});

const partsOf = (id: string) => [1, 2, 3].map((part) => `${id}/${part}`);
const single = async () => {
  const body = {
    type: 'sms',
    payload: { sender: 'MIRTEA', text: 'Hello' },
    recipient: '+79161234567',
  };
  return ((await owner.api(sendings.create, { body: body as never })) as SendingReceipt).id;
};
const stateOf = async (id: string) => {
  const { state, deliveredAt, failedAt } = await owner.api(sendings.get, { params: { id } });
  return { status: state.status, code: state.code, at: deliveredAt ?? failedAt };
};
const submitted = async () => {
  const id = await single();
  await until(async () => (await stateOf(id)).status === 'sent', 'the submit');
  return id;
};
const at = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1000);
const push = (...given: CarrierReport[]) => reports.push(peer.name, given);
const report = (
  id: string,
  part: number,
  status: CarrierReport['status'],
  seconds: number,
  code?: 'absent_subscriber' | 'landline',
) => ({ externalId: `${id}/${part}`, status, at: at(seconds), ...(code && { code }) }) as const;

test('a message is delivered when all of its parts are', async () => {
  const id = await submitted();
  const last = report(id, 3, 'delivered', 9);
  await push(last, report(id, 1, 'sent', 2));
  await push(report(id, 1, 'delivered', 5));
  expect((await stateOf(id)).status).toBe('sent');
  await push(report(id, 2, 'delivered', 4), report(id, 1, 'sent', 2));
  expect(await stateOf(id)).toMatchObject({ status: 'delivered', at: last.at.toISOString() });
});

test('it has failed when no part is open, and says why', async () => {
  const [none, some] = [await submitted(), await submitted()];
  await push(report(none, 1, 'failed', 1, 'landline'), report(none, 2, 'failed', 2));
  await push(report(some, 1, 'delivered', 1), report(some, 2, 'failed', 2, 'landline'));
  expect([(await stateOf(none)).status, (await stateOf(some)).status]).toEqual(['sent', 'sent']);
  await push(report(none, 3, 'failed', 3), report(some, 3, 'delivered', 3));
  expect(await stateOf(none)).toMatchObject({ status: 'failed', code: 'landline' });
  expect(await stateOf(some)).toMatchObject({ status: 'failed', code: 'partial' });
  // A late receipt makes it delivered; the refund remains.
  await push(report(some, 2, 'delivered', 30));
  expect(await stateOf(some)).toMatchObject({ status: 'delivered' });
  expect(await problems(world)).toEqual([]);
});

test('reports of two parts at the same moment are not lost to each other', async () => {
  for (let n = 0; n < 10; n++) {
    const id = await submitted();
    await Promise.all([1, 2, 3].map((part) => push(report(id, part, 'delivered', part))));
    expect((await stateOf(id)).status).toBe('delivered');
  }
});

test('reports that come before the answer to the submit count for their parts', async () => {
  meanwhile = (id) => push(report(id, 1, 'delivered', 1), report(id, 3, 'delivered', 3));
  const id = await submitted();
  await push(report(id, 2, 'delivered', 2));
  expect((await stateOf(id)).status).toBe('delivered');
  const left = await world.db.query(`select 1 from unmatched_reports where channel = $1`, [
    peer.name,
  ]);
  expect(left).toEqual([]);
});

test('a report that comes while the ids are being recorded is found, and waits for nobody', async () => {
  const own = world.api.get(CarrierReportsService, { strict: false });
  const id = await submitted();
  const late = [`${id}/late-1`, `${id}/late-2`, `${id}/late-3`];
  const delivered = late.map((externalId) => ({
    externalId,
    status: 'delivered' as const,
    at: at(1),
  }));
  const looked = Promise.withResolvers<void>();
  // Not of the transaction below.
  const pushed = looked.promise.then(() => reports.push(peer.name, delivered.slice(0, 2)));
  await world.hold(async () => {
    await own.addReferences(peer.name, [{ id, externalIds: late }]);
    // It has looked for reports of its ids, and found none.
    looked.resolve();
    await pushed;
  });
  await reports.push(peer.name, delivered.slice(2));
  // The ids of the submit are alternatives to these: one for each part is enough.
  await until(async () => (await stateOf(id)).status === 'delivered', 'the late match');
  const left = await world.db.query(`select 1 from unmatched_reports where channel = $1`, [
    peer.name,
  ]);
  expect(left).toEqual([]);
});

test('an unknown id is looked at less and less often for five minutes, and kept for a day', async () => {
  await push({ externalId: 'nobody', status: 'delivered', at: at(1) });
  /** After how many seconds of its life it is due again, once it was looked at so late; null: never. */
  const dueAfter = async (seconds: number) => {
    await world.db.query(
      `update unmatched_reports set created_at = now() - $2::integer * interval '1 second', due_at = now() where channel = $1`,
      [peer.name, seconds],
    );
    return until(async () => {
      const [row] = await world.db.query<{ due: number | null; isLooked: boolean }>(
        `select extract(epoch from due_at - created_at)::float8 as due, due_at is null or due_at > now() as "isLooked"
           from unmatched_reports where channel = $1`,
        [peer.name],
      );
      return row!.isLooked && row!;
    }, 'a look');
  };
  const { due } = await dueAfter(10);
  expect(due).toBeGreaterThanOrEqual(40);
  expect(due).toBeLessThan(300);
  expect((await dueAfter(100)).due).toBe(300);
  expect((await dueAfter(3600)).due).toBeNull();
});

test('a carrier over HTTP gives an id for each part, and is told what its reports changed', async () => {
  await world.db.query(`update channels set is_active = false where name = $1`, [peer.name]);
  const carrier = await Carrier.start(world, ['sms']);
  carrier.meanwhile = ({ reference }) =>
    Promise.resolve({ result: 'accepted', externalIds: partsOf(reference) });
  const id = await submitted();
  const results = async (...parts: number[]) => {
    const statuses = parts.map((part) => ({
      externalId: `${id}/${part}`,
      status: 'delivered' as const,
    }));
    const { json } = await carrier.report(statuses);
    return (json as { results: { result: string }[] }).results.map(({ result }) => result);
  };
  expect(await results(1, 3)).toEqual(['applied', 'applied']);
  expect(await results(1, 2)).toEqual(['ignored', 'applied']);
  expect((await stateOf(id)).status).toBe('delivered');
  carrier.stop();
});
