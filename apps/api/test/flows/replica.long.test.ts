import {
  ADMINISTRATOR_GRANTS,
  contactLists,
  contacts,
  installation,
  sendings,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { Replicated } from '../replicated.ts';
import { DELIVERED, MESSAGE } from '../scene.ts';
import { until, World, type Person } from '../world.ts';

let servers: Replicated;
let world: World;
let owner: Person;
let administrator: Person;
let ListId: string;
let phone = 79_005_550_100;

beforeAll(async () => {
  servers = await Replicated.start();
  world = await World.start({}, { replicaUrl: servers.replicaUrl });
  [owner, administrator] = [
    await world.person(),
    await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } }),
  ];
  const list = { title: 'Tea lovers', type: 'regular' as const };
  ListId = (await owner.api(contactLists.create, { body: list })).id;
}, 600_000);
afterAll(async () => {
  await world?.stop();
  await servers?.stop();
});

/** How many lists ended so at the replica. */
async function reads(result: string): Promise<number> {
  const samples = await world.api.get(Metrics).samples('replica_reads_total');
  return samples.find(({ labels }) => labels?.['result'] === result)?.value ?? 0;
}

/** Whoever adds a contact finds it in the list, wherever the list is read. */
async function addAndRead(): Promise<void> {
  const body = { ListId, phone: `+${++phone}` };
  const { id } = await owner.api(contacts.create, { body });
  const order = [{ field: 'createdAt' as const, direction: 'desc' as const }];
  const { data } = await owner.api(contacts.find, {
    query: { filter: { ListId }, order, limit: 1 },
  });
  expect(data.map((row) => row.id)).toEqual([id]);
}

/** One that rests after a failure is asked again by itself. */
const untilReads = (result: string, more = 1) => {
  let first: number | undefined;
  return until(async () => {
    first ??= await reads(result);
    await addAndRead();
    return (await reads(result)) >= first + more;
  }, `reads that end as ${result}`);
};

test('lists come from the replica, with all that was written before', async () => {
  await untilReads('done', 20);
  const { database } = await administrator.api(installation.get);
  expect(database.replica!.behind).toBeGreaterThanOrEqual(0);
});

test('an address that leads to no replica is left out, whatever it answers', async () => {
  const address = new URL(world.config.DATABASE_READ_URL!);
  address.password = 'wrong';
  const other = await world.startApi({ DATABASE_READ_URL: address.href });
  const { total } = await world.client(owner.token, other.base)(contacts.find);
  expect(total).toBeGreaterThan(0);
  const samples = await other.app.get(Metrics).samples('replica_reads_total');
  expect(samples).toMatchObject([{ labels: { result: 'unreachable' }, value: 1 }]);
});

test('a replica that is behind is left alone until it has caught up', async () => {
  await servers.atReplica('select pg_wal_replay_pause()');
  await untilReads('behind', 2);
  const before = await reads('done');
  await servers.atReplica('select pg_wal_replay_resume()');
  await untilReads('done');
  expect(await reads('done')).toBeGreaterThan(before);
});

test('who follows changes is answered by the primary, which knows what is not committed yet', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const query = { range: { updatedAt: { $gt: since } } };
  const changed = async () => (await owner.api(sendings.find, { query })).data;
  const before = await reads('refused');
  await world.hold(async () => {
    await world.db.query('select change_time()');
    await owner.api(sendings.create, { body: { ...MESSAGE, recipient: DELIVERED } });
    expect(await changed()).toEqual([]);
    expect(await reads('refused')).toBe(before + 1);
  });
  await until(async () => (await changed()).length === 1, 'the change that was held back');
});

test('a replica that is killed, started again, cut off without a word and promoted: every list is answered', async () => {
  await servers.killReplica();
  await untilReads('unreachable', 2);
  const { database } = await administrator.api(installation.get);
  expect(database.replica).toEqual({ behind: null });
  await servers.startReplica();
  await untilReads('done');
  servers.toReplica.cut();
  await untilReads('unreachable');
  servers.toReplica.mend();
  await untilReads('done');
  await servers.atReplica('select pg_promote()');
  await untilReads('behind', 2);
});
