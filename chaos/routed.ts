import { sendings, type SendingReceipt, type Task } from '@heliograph/contract';
import { LOOKUP_WAIT_SECONDS, typeCode, type SendingType } from '@heliograph/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CARRIERS,
  HTTP_CARRIERS,
  HttpCarrier,
  NETWORKS,
  SESSION_CARRIERS,
  SessionCarrier,
  type Carrier,
  type CarrierName,
} from './carriers.ts';
import { openWork, rules, verify, type Finding } from './checks.ts';
import type { Address } from './cluster.ts';
import { Codes } from './codes.ts';
import { Database } from './database.ts';
import { FaultProcess } from './fault-process.ts';
import { Random } from './random.ts';
import { account, clear, list, type Account } from './world.ts';

interface RouteOfRound {
  title: string;
  channels: CarrierName[];
  isWeighted?: boolean;
  /** What numbers of the second network take that the account looks up before. */
  ported?: CarrierName[];
}

/** Each is the route of an account with a bulk; the weighted one spreads over all. */
const BULKS: (RouteOfRound & { type: SendingType })[] = [
  { title: 'slow first', type: 'viber', channels: ['slow', 'healthy'] },
  { title: 'flaky first', type: 'viber', channels: ['flaky', 'spare', 'healthy'] },
  { title: 'dying first', type: 'viber', channels: ['dying', 'healthy', 'spare'] },
  { title: 'sessions first', type: 'sms', channels: ['sessions', 'healthy'] },
  { title: 'cutting first', type: 'sms', channels: ['cutting', 'sessions', 'spare'] },
  {
    title: 'looked up',
    type: 'sms',
    channels: ['sessions', 'slow'],
    ported: ['spare', 'healthy'],
  },
  { title: 'all', type: 'sms', channels: [...CARRIERS], isWeighted: true },
];
/** The routes of the accounts that send single messages and codes. */
const SINGLES: RouteOfRound = {
  title: 'singles',
  channels: ['dying', 'sessions', 'healthy'],
  ported: ['flaky', 'spare'],
};
const CODES: RouteOfRound = { title: 'codes', channels: ['flaky', 'cutting', 'healthy'] };
/** What waits for a look-up that is lost waits for two minutes. */
const SETTLE_MS = 240_000;
const DROPPED = 5;
/** Whether an attempt was given up before it was submitted: the one before was delivered after all, or a code would have come too late. */
const isGivenUp = ({ task, stage, error }: Row) =>
  error === 'superseded' || (!task && stage === DROPPED && error === 'expired');

export interface RoutedSummary {
  seed: string;
  rounds: number;
  messages: number;
  singles: number;
  codes: number;
  /** Numbers that were looked up. */
  lookups: number;
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

interface RoutedOptions {
  rounds?: number;
  seed: string;
  /** Recipients of the bulks of a round. */
  size: number;
  dir: string;
  /** For every process of the product. */
  env?: Record<string, string>;
  faultsMs?: number;
  say?: (line: string) => void;
}

/**
 * Rounds of bulks, singles and codes over routes of seven carriers under faults; no message may be at two of them, at one twice, or at none unless its
 * outcome is unknown. Ends at the first round with findings.
 */
export async function runRouted(options: RoutedOptions): Promise<RoutedSummary> {
  const { rounds = 1, seed, dir, env = {}, say = () => undefined } = options;
  const chaos = new FaultProcess();
  let db: Database | undefined;
  const summary: RoutedSummary = {
    seed,
    rounds: 0,
    messages: 0,
    singles: 0,
    codes: 0,
    lookups: 0,
    unknownOutcomes: 0,
    lost: 0,
    taken: {},
    changes: 0,
    faults: {},
    findings: [],
  };
  try {
    const address = await chaos.open(dir, {
      ...env,
      OTP_ADDRESS_PER_HOUR: '0',
      // Counted, and not refused.
      OTP_UNCONFIRMED_PER_HOUR: '1000000',
    });
    db = new Database(address.env.DATABASE_URL!);
    while (summary.rounds < rounds && !summary.findings.length) {
      const since = Date.now();
      const n = ++summary.rounds;
      const one = await oneRound({ chaos, db, address }, `${seed}/${n}`, options);
      const { taken, faults, findings, ...counts } = one;
      for (const key of Object.keys(counts) as (keyof typeof counts)[]) summary[key] += counts[key];
      addTo(summary.taken, taken);
      addTo(summary.faults, faults);
      summary.findings = findings;
      say(
        `round ${n}: ${findings.length ? 'WRONG' : 'ok'}, ${JSON.stringify({ ...counts, taken, faults })}, ${((Date.now() - since) / 1000).toFixed(1)} s`,
      );
    }
    return summary;
  } finally {
    await db?.close();
    await chaos.close();
  }
}

interface Parts {
  chaos: FaultProcess;
  db: Database;
  address: Address;
}

async function oneRound(
  { chaos, db, address }: Parts,
  seed: string,
  { size, faultsMs = 15_000 }: RoutedOptions,
): Promise<Omit<RoutedSummary, 'seed' | 'rounds'>> {
  const carriers: Carrier[] = [
    ...HTTP_CARRIERS.map((name) => new HttpCarrier(name, new Random(`${seed} ${name}`))),
    ...SESSION_CARRIERS.map((name) => new SessionCarrier(name, seed)),
  ];
  try {
    await clear(db);
    await db.rows('delete from routes');
    for (const carrier of carriers) await addChannel(db, address, carrier);
    const codes = new Codes(db, address, seed);
    await codes.prepare();
    const { start, routes, singles } = await prepare(db, address, codes, size);
    const random = new Random(`${seed} singles`);
    const sent: string[] = [];
    const acting = Promise.all([
      start(),
      changeRoutes(db, routes, new Random(`${seed} routes`), faultsMs),
      sendSingles(singles, Math.ceil(size / 40), faultsMs, random, sent),
      codes.act(Math.ceil(size / 150), faultsMs),
    ]);
    // A call that fails is told of below.
    acting.catch(() => undefined);
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
    const [bulks, changes] = await acting;
    find('a process crashed', crashed);
    for (const carrier of carriers) carrier.isWell = true;
    find('not everything finished', await settle(db, carriers));
    find('cli verify', await verify(address));
    for (const [what, sql] of Object.entries(rules())) find(what, await db.rows(sql));
    findings.push(...(await codes.check()));
    const { rows, figures } = await inspect(db, carriers, find);
    for (const { id, size: expected } of bulks) {
      const n = rows.filter((row) => row.task === id).length;
      find('a bulk has not one message for each recipient', n === expected ? [] : [{ id, n }]);
    }
    find('a message that was released went by its prefix', await misrouted(db));
    const ids = new Set(rows.map(({ id }) => id));
    find(
      'an answered single is missing',
      sent.filter((id) => !ids.has(id)),
    );
    const kinds: Record<string, number> = {};
    for (const { kind } of faults) addTo(kinds, { [kind]: 1 });
    const counts = { singles: sent.length, codes: codes.sessions.length, changes };
    return { ...figures, ...counts, faults: kinds, findings };
  } finally {
    for (const carrier of carriers) await carrier.close();
  }
}

function addTo(sums: Record<string, number>, counts: Record<string, number>): void {
  for (const [key, n] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + n;
}

/** What the round before knew of the channel is forgotten. */
async function addChannel(db: Database, { apis, secret }: Address, carrier: Carrier) {
  const { driver, types, options } = await carrier.open(apis[1]!, secret);
  await db.rows(
    `insert into channels (name, driver, types, priority, options) values ($1, $2, $3, 100, $4)
     on conflict (name) do update set options = excluded.options`,
    [carrier.name, driver, types, options],
  );
  await db.rows(
    `update channel_states set failures = 0, open_until = null, failing_since = null where channel = $1`,
    [carrier.name],
  );
}

async function prepare(db: Database, { apis }: Address, codes: Codes, size: number) {
  const routes: string[] = [];
  const customers: { customer: Account['customer']; body: object; count: number }[] = [];
  const addRoute = async (
    owner: string,
    { title, channels, isWeighted = false }: RouteOfRound,
    operators: string[] = [],
  ) => {
    const shares = channels.map((ChannelId) => ({ ChannelId, weight: 1 }));
    const [route] = await db.rows<{ id: string }>(
      `insert into routes (title, types, countries, operators, senders, owner_ids, group_ids, kinds, channels, is_weighted, failover_after, priority)
       values ($1, '{}', '{}', $5::text[], '{}', array[$2::uuid], '{}', '{}', $3, $4, 1, cardinality($5::text[])) returning id`,
      [title, owner, JSON.stringify(shares), isWeighted, operators],
    );
    routes.push(route!.id);
  };
  const add = async (owner: string, route: RouteOfRound) => {
    if (route.ported) {
      await db.rows(`update users set settings = settings || $2 where id = $1`, [
        owner,
        JSON.stringify({ sendings: { lookupDays: 7, lookupFirst: true } }),
      ]);
      const title = `${route.title}, ported`;
      await addRoute(owner, { title, channels: route.ported }, [NETWORKS[1]]);
    }
    await addRoute(owner, route);
  };
  const count = Math.ceil(size / BULKS.length);
  for (const bulk of BULKS) {
    const { title, type } = bulk;
    const { id, customer } = await account(db, apis, 1_000_000);
    await add(id, bulk);
    const recipient = { include: [await list(db, id, count)] };
    // The carriers that know no references find the bulk by its text.
    const payload = { sender: 'MIRTEA', text: title };
    customers.push({ customer, count, body: { type, recipient, payload, options: { title } } });
  }
  const singles = await account(db, apis, 1_000_000);
  await add(singles.id, SINGLES);
  await add(codes.owner.id, CODES);
  await db.rows('analyze contacts');
  // Processes cache channels and routes for a second.
  await sleep(1500);
  const start = () =>
    Promise.all(
      customers.map(async ({ customer, body, count: expected }) => {
        const task = await customer.insistOnce(sendings.create, { body: body as never });
        return { id: (task as Task).id, size: expected };
      }),
    );
  return { start, routes, singles };
}

/** Each third has a fallback. Adds the ids of the answers to `sent`. */
async function sendSingles(
  { customer }: Account,
  count: number,
  ms: number,
  random: Random,
  sent: string[],
): Promise<void> {
  const one = async (n: number) => {
    const payload = { sender: 'MIRTEA', text: `Tea ${n}` };
    const fallback = { type: 'viber', payload, options: { onStatus: ['failed'] } };
    const fallbacks = n % 3 ? [] : [fallback];
    const body = { type: 'sms', recipient: `+7903${1_000_000 + n}`, payload, fallbacks };
    const receipt = await customer.insistOnce(sendings.create, { body: body as never });
    sent.push((receipt as SendingReceipt).id);
  };
  const underWay: Promise<void>[] = [];
  for (let n = 0; n < count; n++) {
    const call = one(n);
    // One that is refused is told of at the end.
    call.catch(() => undefined);
    underWay.push(call);
    await sleep(random.between(0, (2 * ms) / count));
  }
  await Promise.all(underWay);
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

/**
 * Messages of the bulk with look-ups that were submitted before the end of their wait, so after the answer, over a channel of the other
 * network. A look-up that has expired releases, too, and may be answered after that.
 */
const misrouted = (db: Database) =>
  db.rows(
    `select s.id, b.channel, f.network from sendings s join batches b on b.id = s.batch_id join tasks t on t.id = s.group_id
       join found_networks f on f.owner_id = s.owner_id and f.phone = s.phone
       join sendings l on l.owner_id = s.owner_id and l.phone = s.phone and l.type = ${HLR}
       join batches lb on lb.id = l.batch_id and lb.closed_at >= f.found_at
      where t.title = $1 and f.found_at < b.submitted_at and b.submitted_at < uuid_extract_timestamp(s.id) + make_interval(secs => $2)
        and (f.network = $3) <> (b.channel = any($4))`,
    ['looked up', LOOKUP_WAIT_SECONDS.bulk, NETWORKS[1], ['spare', 'healthy']],
  );

/** Waits until nothing is open; returns what still is. */
async function settle(db: Database, carriers: Carrier[]): Promise<unknown[]> {
  for (const end = Date.now() + SETTLE_MS; ; await sleep(400)) {
    const open = await openWork(db);
    const isSilent = carriers.every((carrier) => carrier.isSilent);
    if (isSilent && Object.values(open).every((n) => n === 0)) return [];
    if (Date.now() > end) return [{ ...open, isSilent }];
  }
}

interface Row {
  id: string;
  task: string | null;
  title: string | null;
  type: number;
  phone: string;
  stage: number;
  status: number;
  error: string | null;
}

const SMS = typeCode('sms');
const HLR = typeCode('hlr');
const textKey = (title: string | null, phone: string) => `${title ?? ''} ${phone}`;

async function inspect(
  db: Database,
  carriers: Carrier[],
  find: (what: string, rows: unknown[]) => void,
) {
  const rows = await db.rows<Row>(
    `select s.id, s.task_id as task, t.title, s.type, s.phone, s.stage, s.now_status as status, s.error
       from sendings_now s left join tasks t on t.id = s.task_id`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const titles = new Set<string>(BULKS.map(({ title }) => title));
  // A person gets one SMS of a bulk, a single or a session of codes.
  const byText = new Map(
    rows.filter(({ type }) => type === SMS).map((row) => [textKey(row.title, row.phone), row]),
  );
  const at = new Map<Row, CarrierName[]>();
  const unknown: unknown[] = [];
  for (const carrier of carriers)
    for (const taken of carrier.taken()) {
      const row =
        'reference' in taken
          ? byId.get(taken.reference)
          : byText.get(textKey(titles.has(taken.text) ? taken.text : null, taken.recipient));
      if (row) at.set(row, [...(at.get(row) ?? []), carrier.name]);
      else unknown.push({ carrier: carrier.name, ...taken });
    }
  find(
    'a message was taken more than once',
    [...at].filter(([, names]) => names.length > 1),
  );
  find('a carrier has an unknown message', unknown);
  // Each carrier reports what it took as delivered. Without its answer nobody knows the id of a session carrier.
  const isUnreported = (row: Row, [name]: CarrierName[]) =>
    row.stage === 4 && SESSION_CARRIERS.some((one) => one === name);
  find(
    'a message that a carrier took is not delivered',
    [...at].filter(([row, names]) => ![3, 4].includes(row.status) && !isUnreported(row, names)),
  );
  const lost = rows.filter((row) => !at.has(row) && !isGivenUp(row));
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
  const taken = Object.fromEntries(
    carriers.map((carrier) => [carrier.name, carrier.taken().length]),
  );
  const figures = {
    messages: rows.length,
    lookups: rows.filter(({ type }) => type === HLR).length,
    unknownOutcomes:
      counted.reduce((sum, { n }) => sum + n, 0) +
      rows.filter(({ task, stage }) => !task && stage === 4).length,
    lost: lost.length,
    taken,
  };
  return { rows, figures };
}
