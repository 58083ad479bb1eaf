import { sendings, type Task } from '@heliograph/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { CARRIERS, SomeCarrier, type CarrierName } from './carriers.ts';
import { RULES, verify, type Finding } from './checks.ts';
import type { Address } from './cluster.ts';
import { Database } from './database.ts';
import { FaultProcess } from './fault-process.ts';
import { Random } from './random.ts';
import { account, clear, list, type Account } from './world.ts';

/** Each is the route of an account; the weighted one spreads over all. */
const ROUTES: { title: string; channels: CarrierName[]; isWeighted?: boolean }[] = [
  { title: 'slow first', channels: ['slow', 'healthy'] },
  { title: 'flaky first', channels: ['flaky', 'spare', 'healthy'] },
  { title: 'dying first', channels: ['dying', 'healthy', 'spare'] },
  { title: 'all', channels: [...CARRIERS], isWeighted: true },
];
const SETTLE_MS = 120_000;

export interface RoutedSummary {
  seed: string;
  messages: number;
  /** Submits whose answer was lost, and the messages of them that no carrier has. */
  unknownOutcomes: number;
  lost: number;
  /** Messages that each carrier took: by luck the dying one is away whenever it is asked. */
  taken: Record<string, number>;
  /** Changes of routes while messages waited. */
  changes: number;
  faults: Record<string, number>;
  findings: Finding[];
}

/** Bulks over routes of five carriers under faults; no message may be at two of them, at one twice, or at none unless its outcome is unknown. */
export async function runRouted(options: {
  seed: string;
  size: number;
  dir: string;
  faultsMs?: number;
}): Promise<RoutedSummary> {
  const { seed, size, dir, faultsMs = 15_000 } = options;
  const chaos = new FaultProcess();
  const carriers = CARRIERS.map((name) => new SomeCarrier(name, new Random(`${seed} ${name}`)));
  let db: Database | undefined;
  try {
    const address = await chaos.open(dir, {});
    db = new Database(address.env.DATABASE_URL!);
    await clear(db);
    for (const carrier of carriers) await addChannel(db, address, carrier);
    const { start, routes } = await prepare(db, address, Math.ceil(size / ROUTES.length));
    const starting = start();
    const changing = changeRoutes(db, routes, new Random(`${seed} routes`), faultsMs);
    const { faults, crashed } = await chaos.injectFaults({
      seed,
      ms: faultsMs,
      calm: 1400,
      isOrderly: false,
    });
    const findings: Finding[] = [];
    const find = (what: string, rows: unknown[]) => {
      if (rows.length) findings.push({ what, rows: rows.slice(0, 20) });
    };
    const bulks = await starting;
    const changes = await changing;
    find('a process crashed', crashed);
    for (const carrier of carriers) carrier.isWell = true;
    find('not everything finished', await settle(db, carriers));
    find('cli verify', await verify(address));
    for (const [what, sql] of Object.entries(RULES)) find(what, await db.rows(sql));
    const { rows, figures } = await inspect(db, carriers, find);
    for (const { id, size: expected } of bulks) {
      const n = rows.filter((row) => row.task === id).length;
      find('a bulk has not one message for each recipient', n === expected ? [] : [{ id, n }]);
    }
    const kinds: Record<string, number> = {};
    for (const { kind } of faults) kinds[kind] = (kinds[kind] ?? 0) + 1;
    return { seed, ...figures, changes, faults: kinds, findings };
  } finally {
    for (const carrier of carriers) await carrier.close();
    await db?.close();
    await chaos.close();
  }
}

async function addChannel(db: Database, { apis, secret }: Address, carrier: SomeCarrier) {
  const url = await carrier.open(apis[1]!, secret);
  await db.rows(
    `insert into channels (name, driver, types, priority, options) values ($1, 'http', '{viber}', 100, $2) on conflict (name) do nothing`,
    [carrier.name, { url, secret, deduplicates: false, maxBatch: 20, connections: 4 }],
  );
}

async function prepare(db: Database, { apis }: Address, each: number) {
  const customers: { customer: Account['customer']; listId: string; title: string }[] = [];
  const routes: string[] = [];
  for (const { title, channels, isWeighted = false } of ROUTES) {
    const { id, customer } = await account(db, apis, 1_000_000);
    const listId = await list(db, id, each);
    const shares = channels.map((ChannelId) => ({ ChannelId, weight: 1 }));
    const [route] = await db.rows<{ id: string }>(
      `insert into routes (title, types, countries, operators, senders, owner_ids, group_ids, kinds, channels, is_weighted, failover_after)
       values ($1, '{}', '{}', '{}', '{}', array[$2::uuid], '{}', '{}', $3, $4, 1) returning id`,
      [title, id, JSON.stringify(shares), isWeighted],
    );
    routes.push(route!.id);
    customers.push({ customer, listId, title });
  }
  await db.rows('analyze contacts');
  // Processes cache channels and routes for a second.
  await sleep(1500);
  const start = () =>
    Promise.all(
      customers.map(async ({ customer, listId, title }) => {
        const body = {
          type: 'viber',
          recipient: { include: [listId] },
          payload: { sender: 'MIRTEA', text: 'Hello' },
          options: { title },
        };
        const task = await customer.insistOnce(sendings.create, { body: body as never });
        return { id: (task as Task).id, size: each };
      }),
    );
  return { start, routes };
}

/** Turns the order of a route's channels around, now and then. */
async function changeRoutes(db: Database, routes: string[], random: Random, ms: number) {
  let changes = 0;
  for (const end = Date.now() + ms; ; changes++) {
    await sleep(random.between(800, 2500));
    if (Date.now() > end) return changes;
    await db.rows(
      `update routes set channels = (select jsonb_agg(c order by n desc) from jsonb_array_elements(channels) with ordinality o (c, n)) where id = $1`,
      [random.one(routes)],
    );
  }
}

/** Waits until nothing is open; returns what still is. */
async function settle(db: Database, carriers: SomeCarrier[]): Promise<unknown[]> {
  for (const end = Date.now() + SETTLE_MS; ; await sleep(400)) {
    const [open] = await db.rows<Record<string, number>>(
      `select (select count(*) from tasks where state not in ('completed', 'failed', 'stopped'))::int as tasks,
              (select count(*) from sendings where outcome is null)::int as chains,
              (select count(*) from sendings_now where now_status < 3)::int as messages`,
    );
    const isSilent = carriers.every((carrier) => carrier.isSilent);
    if (isSilent && Object.values(open!).every((n) => n === 0)) return [];
    if (Date.now() > end) return [{ ...open, isSilent }];
  }
}

interface Row {
  id: string;
  task: string;
  stage: number;
  status: number;
  error: string | null;
}

async function inspect(
  db: Database,
  carriers: SomeCarrier[],
  find: (what: string, rows: unknown[]) => void,
) {
  const rows = await db.rows<Row>(
    `select id, task_id as task, stage, now_status as status, error from sendings_now`,
  );
  const ids = new Set(rows.map(({ id }) => id));
  const at = new Map<string, string[]>();
  for (const { name, taken } of carriers)
    for (const [id, times] of taken)
      at.set(id, [...(at.get(id) ?? []), ...Array<string>(times).fill(name)]);
  find(
    'a message was taken more than once',
    [...at].filter(([, names]) => names.length > 1),
  );
  find(
    'a carrier has an unknown reference',
    [...at].filter(([id]) => !ids.has(id)),
  );
  // Each carrier reports what it took as delivered.
  find(
    'a message that a carrier took is not delivered',
    rows.filter(({ id, status }) => at.has(id) && ![3, 4].includes(status)),
  );
  const lost = rows.filter(({ id }) => !at.has(id));
  find(
    'a message is at no carrier, and its outcome is known',
    lost.filter(({ stage }) => stage !== 4),
  );
  find(
    'a message that no carrier took is not failed',
    lost.filter(({ status }) => status !== 5),
  );
  const counted = await db.rows<{ id: string; n: number }>(
    `select task_id as id, unknown_outcomes as n from task_counters`,
  );
  find(
    'more messages were lost than counted as unknown outcomes',
    counted.filter(({ id, n }) => lost.filter((row) => row.task === id).length > n),
  );
  const taken = Object.fromEntries(carriers.map((carrier) => [carrier.name, carrier.taken.size]));
  const figures = {
    messages: rows.length,
    unknownOutcomes: counted.reduce((sum, { n }) => sum + n, 0),
    lost: lost.length,
    taken,
  };
  return { rows, figures };
}
