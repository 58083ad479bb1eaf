import {
  sendings,
  sendingsIncoming,
  type Sending,
  type SendingIncoming,
  type SendingReceipt,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  ReportsService,
  type Report,
} from '../../src/features/sendings/reports/reports.service.ts';
import { changedIdsSql } from '../../src/features/sendings/queries/sendings.list.ts';
import { RepliesService } from '../../src/features/sendings/reports/replies.service.ts';
import { approve, contactList } from '../factories.ts';
import { fieldsOf, raw } from '../raw.ts';
import { type Person, until, World } from '../world.ts';

/** A program that asks for what has changed since the greatest `updatedAt` that it saw. Where no worker runs, all changes are those of a test. */
let world: World;
let owner: Person;
let reports: ReportsService;

beforeAll(async () => {
  world = await World.start();
  reports = world.api.get(ReportsService, { strict: false });
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 100_000 });
  await approve(world, owner.id);
});

const payload = { sender: 'MIRTEA', text: 'Hello' };

async function messages(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 50) {
    const group = Array.from({ length: Math.min(50, count - i) }, (_, n) => i + n);
    const receipts = await Promise.all(
      group.map((n) =>
        owner.api(sendings.create, {
          body: { type: 'sms', payload, recipient: `+7916${1_000_000 + n}` } as never,
        }),
      ),
    );
    ids.push(...receipts.map((receipt) => (receipt as SendingReceipt).id));
  }
  return ids;
}

const delivered = (id: string, at = world.clock.now()): Report => ({ id, status: 'delivered', at });

/** Follows the greatest time of its answers, as the guide says. */
class Follower {
  since = new Date(0).toISOString();
  readonly seen = new Map<string, Sending>();
  constructor(
    private readonly limit: number,
    private readonly extra: Record<string, string> = {},
  ) {
    this.since = new Date(Date.now() - 3_600_000).toISOString();
  }

  /** How many rows the answer had. */
  async poll(): Promise<number> {
    const query = new URLSearchParams({
      'updatedAt[$gt]': this.since,
      $limit: String(this.limit),
      ...this.extra,
    });
    const { json } = await raw(world, owner, 'GET', `/sendings?${query}`);
    const { data } = json as unknown as { data: Sending[] };
    for (const row of data) {
      this.seen.set(row.id, row);
      if (row.updatedAt > this.since) this.since = row.updatedAt;
    }
    return data.length;
  }

  /** What runs beside a test may hold changes back for a moment: then a poll has none, and a later one has. */
  async seesDelivered(ids: string[]): Promise<void> {
    await until(async () => {
      await this.poll();
      return ids.every((id) => this.seen.get(id)?.state.status === 'delivered');
    }, 'the last status of each message');
  }
}

test('a change is dated by its arrival, however old the time in the report is', async () => {
  const [id] = (await messages(1)) as [string];
  const follower = new Follower(200);
  await until(
    async () => (await follower.poll()) === 0 && follower.seen.size === 1,
    'its creation',
  );
  const at = new Date(Date.now() - 1_800_000);
  await reports.apply([delivered(id, at)]);
  await until(async () => follower.poll(), 'the report');
  const row = follower.seen.get(id)!;
  expect(row.state.status).toBe('delivered');
  expect(Date.parse(row.updatedAt)).toBeGreaterThan(at.getTime() + 1_700_000);
  expect(JSON.stringify(row)).toContain(at.toISOString());
});

test('what commits later than its successors holds them back and is not missed', async () => {
  const [slow, quick] = (await messages(2)) as [string, string];
  const follower = new Follower(200);
  await until(async () => (await follower.poll()) === 0 && follower.seen.size === 2, 'creations');
  const begun = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const late = world.hold(async () => {
    await reports.apply([delivered(slow)]);
    begun.resolve();
    await commit.promise;
  });
  await begun.promise;
  await sleep(20);
  await reports.apply([delivered(quick)]);
  // Committed, and shown by itself; a follower gets it with what is before it.
  expect((await owner.api(sendings.get, { params: { id: quick } })).state.status).toBe('delivered');
  expect(await follower.poll()).toBe(0);
  commit.resolve();
  await late;
  await follower.seesDelivered([slow, quick]);
});

test('changes of one moment are one page, however small it is, and pages follow without an offset', async () => {
  const ids = await messages(60);
  const follower = new Follower(10, { 'status[]': 'delivered' });
  await reports.apply(ids.slice(0, 50).map((id) => delivered(id)));
  await sleep(5);
  for (const id of ids.slice(50)) await reports.apply([delivered(id)]);
  const sizes: number[] = [];
  await until(async () => {
    const size = await follower.poll();
    if (size) sizes.push(size);
    return follower.seen.size === 60;
  }, 'all');
  expect(sizes[0]).toBe(50);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(60);
  expect(await follower.poll()).toBe(0);
  for (const [extra, field] of [
    ['$offset=10', '$offset'],
    [`cursor=${ids[0]}`, 'cursor'],
    ['$order=-updatedAt', '$order'],
  ] as const) {
    const path = `/sendings?updatedAt[$gt]=${encodeURIComponent(follower.since)}&${extra}`;
    const answer = await raw(world, owner, 'GET', path);
    expect([answer.status, fieldsOf(answer)]).toEqual([422, [field]]);
  }
});

test('many writers that commit late and out of order: a follower sees every last status', async () => {
  const ids = await messages(400);
  const followers = [new Follower(7), new Follower(200)];
  let isOver = false;
  const following = followers.map(async (follower) => {
    while (!isOver) await follower.poll();
    await follower.seesDelivered(ids);
  });
  const waiting = [...ids];
  const writer = async (n: number) => {
    for (let group = waiting.splice(0, 4); group.length; group = waiting.splice(0, 4))
      for (const status of ['sent', 'delivered'] as const)
        await world.db.transaction(async () => {
          for (const id of group) {
            await reports.apply([{ id, status, at: new Date(Date.now() - 60_000 * n) }]);
            await sleep((n * 7 + group.length) % 23);
          }
        });
  };
  await Promise.all(Array.from({ length: 6 }, (_, n) => writer(n)));
  isOver = true;
  await Promise.all(following);
  expect(followers.map(({ seen }) => seen.size)).toEqual([400, 400]);
});

test('messages that a transaction creates are followed like changes, and an account sees its own alone', async () => {
  const list = await contactList(world, owner.id, 30);
  const worker = await world.startWorker();
  const stranger = await world.person();
  const follower = new Follower(5);
  const body = { type: 'sms', payload, recipient: { include: [list] } };
  await owner.api(sendings.create, { body: body as never });
  await until(async () => {
    await follower.poll();
    return (
      follower.seen.size === 30 &&
      [...follower.seen.values()].every(
        ({ state }) =>
          state.status === 'sent' ||
          state.status === 'delivered' ||
          state.status === 'failed' ||
          state.status === 'seen',
      )
    );
  }, 'the bulk');
  const { json } = await raw(
    world,
    stranger,
    'GET',
    `/sendings?updatedAt[$gt]=${new Date(0).toISOString()}`,
  );
  expect(json).toBeDefined();
  expect((await stranger.api(sendings.find)).total).toBe(0);
  await worker.close();
});

test('a poll reads what has changed, not what the account has', async () => {
  const [id] = (await messages(1)) as [string];
  // A day's messages, with batches of a hundred, whose last change was long ago.
  await world.db.query(
    `with b as (
       insert into batches (owner_id, channel, type, attempt, priority, size, segments, first_id, last_id, due_at, created_at, stage, closed_at, updated_at)
       select $1, 'simulator', 0, 0, 2, 100, 100, uuidv7(make_interval(secs => -n * 400)), uuidv7(make_interval(secs => -n * 400 + 100)), at, at, 3, at, at
         from generate_series(1, 200) n, lateral (select now() - make_interval(secs => n * 400) as at) t returning *)
     insert into sendings (id, owner_id, batch_id, type, attempt, is_last, segments, amount, sender, phone, status, delivered_at, changed_at)
     select uuidv7(b.created_at - now() + make_interval(secs => m)), $1, b.id, 0, 0, true, 1, 1, 'MIRTEA', '+7916' || 1000000 + m, 4, b.created_at, b.created_at
       from b, generate_series(1, 99) m order by 1`,
    [owner.id],
  );
  for (const index of ['sendings_changed', 'batches_changed'])
    await world.db.query(`select brin_summarize_new_values($1::regclass)`, [index]);
  await world.db.query(`analyze sendings, batches`);
  const since = new Date();
  await until(async () => Date.now() > since.getTime(), 'the next millisecond');
  await reports.apply([delivered(id)]);
  const values: unknown[] = [];
  const query = sendings.find.query!.parse({ updatedAt: { $gt: since.toISOString() } });
  const sql = changedIdsSql(
    { kind: 'own', OwnerId: owner.id },
    query,
    { $gt: since.toISOString(), $lt: new Date(Date.now() + 1_000).toISOString() },
    'RU',
    (value) => `$${values.push(value)}`,
    '200',
    true,
  );
  const [plan] = await world.db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${sql}`,
    values,
  );
  const nodes = nodesOf(plan!['QUERY PLAN'][0].Plan);
  expect(nodes.map((node) => node['Index Name'])).toEqual(
    expect.arrayContaining(['sendings_changed', 'batches_changed']),
  );
  const read = nodes.filter((node) => node['Relation Name'] === 'sendings');
  const rows = read.map(
    (node) =>
      node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0),
  );
  expect(rows.reduce((sum, n) => sum + n, 0)).toBeLessThan(5_000);
});

test('the index of changes leaves the last write of a message in its page', async () => {
  const ids = await messages(20);
  const [written] = await world.db.transaction(async () => {
    await reports.apply(ids.map((id) => delivered(id)));
    // An update needs another page while an open snapshot keeps former versions: no index is to blame for it.
    return world.db.query<{ all: number; fit: number }>(
      `select n_tup_upd::int as all, (n_tup_hot_upd + n_tup_newpage_upd)::int as fit
         from pg_stat_xact_user_tables where relname = 'sendings'`,
    );
  });
  expect(written!.all).toBeGreaterThanOrEqual(20);
  expect(written!.fit).toBe(written!.all);
});

/** As a carrier delivers it, in the transaction of the caller, which locks the conversation with the person. */
const receive = (text: string, from = '+79161234567') =>
  world.api
    .get(RepliesService, { strict: false })
    .receive(
      { from, to: 'MIRTEA', type: 'sms', payload: { text } },
      { channel: 'simulator', webhookId: randomUUID(), OwnerId: owner.id },
    );

test('incoming messages that commit late are not missed, and the overlap of the guide finds them by their creation', async () => {
  const arrive = (text: string) =>
    owner.api(sendingsIncoming.create, {
      body: { from: '+79167654321', to: 'MIRTEA', type: 'sms', payload: { text } },
    });
  const texts = async (query: Record<string, string>) => {
    const { json } = await raw(
      world,
      owner,
      'GET',
      `/sendingsIncoming?${new URLSearchParams(query)}`,
    );
    return (json as unknown as { data: SendingIncoming[] }).data;
  };
  const begun = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  let since = new Date(Date.now() - 60_000).toISOString();
  const seen = new Set<string>();
  const poll = async () => {
    const rows = await texts({ 'updatedAt[$gt]': since });
    for (const row of rows) {
      seen.add(row.payload.text!);
      if (row.updatedAt > since) since = row.updatedAt;
    }
  };
  const late = world.hold(async () => {
    await receive('late');
    begun.resolve();
    await commit.promise;
  });
  await begun.promise;
  await sleep(20);
  const quick = await arrive('quick');
  await poll();
  expect([...seen]).toEqual([]);
  // By the time of creation the younger one is seen first, and the late one would be behind it.
  const [newest] = await texts({ 'createdAt[$gt]': new Date(Date.now() - 60_000).toISOString() });
  expect(newest!.payload.text).toBe('quick');
  commit.resolve();
  await late;
  await until(async () => {
    await poll();
    return seen.size === 2;
  }, 'both');
  expect(await texts({ 'createdAt[$gt]': quick.createdAt })).toEqual([]);
  const early = new Date(Date.parse(quick.createdAt) - 300_000).toISOString();
  const again = await texts({ 'createdAt[$gt]': early });
  expect(again.map(({ payload }) => payload.text)).toEqual(['quick', 'late']);
});

test('many incoming messages whose transactions end out of order: followers see every one', async () => {
  const followed = [3, 200].map((limit) => ({
    limit,
    since: new Date(0),
    seen: new Set<string>(),
  }));
  const poll = async (follower: (typeof followed)[number]) => {
    const { data } = await owner.api(sendingsIncoming.find, {
      query: {
        limit: follower.limit,
        order: [{ field: 'updatedAt', direction: 'asc' }],
        range: { updatedAt: { $gt: follower.since.toISOString() } },
      },
    });
    for (const row of data) {
      follower.seen.add(row.payload.text!);
      if (row.updatedAt > follower.since.toISOString()) follower.since = new Date(row.updatedAt);
    }
    return data.length;
  };
  for (const follower of followed) follower.since = new Date(Date.now() - 60_000);
  let isOver = false;
  const following = followed.map(async (follower) => {
    while (!isOver) await poll(follower);
    // The worker of an earlier test may hold messages back for a moment.
    await until(async () => {
      await poll(follower);
      return follower.seen.size === 120;
    }, 'every message');
  });
  const writer = async (n: number) => {
    for (let i = 0; i < 20; i++)
      await world.db.transaction(async () => {
        await receive(`${n}/${i}`, `+7916123${1_000 + n}`);
        await sleep((n * 11 + i * 7) % 29);
      });
  };
  await Promise.all(Array.from({ length: 6 }, (_, n) => writer(n)));
  isOver = true;
  await Promise.all(following);
  expect(followed.map(({ seen }) => seen.size)).toEqual([120, 120]);
});

interface PlanNode {
  'Index Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
