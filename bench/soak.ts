// `npm run soak`: a steady rate for a while, a line each minute, and at the end whether anything grows that should not.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { post } from './bulk.ts';
import { channel, contactList, Product } from './product.ts';
import { median, percentile, say } from './rows.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    /** Recipients per second. */
    rate: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '1' },
  },
});
const MINUTES = Number(values.minutes);
const RATE = Number(values.rate);
const METRICS_TOKEN = 'a-token-of-the-soak';
/** A bulk every so often, a single and a look at the list every so often. */
const BULK_MS = 2000;
const SINGLE_MS = 200;
const LOOK_MS = 250;
/** How much later figures may exceed early ones. */
const MORE = 1.15;
/** Growth that is not significant: MB, ms, jobs. */
const SLACK = { memory: 25, list: 25, jobs: 50 };
const LAG_SECONDS = 5;

/** What a minute is told by. */
interface Minute {
  rows: number;
  memory: Record<string, number>;
  /** Bytes of table and of indexes per message. */
  bytes: { table: number; indexes: number };
  lagSeconds: number;
  waitingJobs: number;
  listP99: number;
}

interface Soak {
  product: Product;
  looks: number[];
  worstLag: number;
  waitingJobs: number;
}

const product = await Product.start({
  workers: Number(values.workers),
  env: { METRICS_TOKEN },
});
try {
  process.exitCode = await run({ product, looks: [], worstLag: 0, waitingJobs: 0 });
} finally {
  await product.stop();
}

async function run(soak: Soak): Promise<number> {
  // People read and carriers take their time: the healthy profile.
  await channel(product, 'simulator', 'simulator', ['viber', 'sms'], { profile: 'healthy' });
  const list = await contactList(product, (RATE * BULK_MS) / 1000);
  const end = new AbortController();
  const everything = [
    every(BULK_MS, end.signal, () => post(product, list)),
    every(SINGLE_MS, end.signal, () => single(product)),
    every(LOOK_MS, end.signal, () => look(soak)),
    every(1000, end.signal, () => watch(soak)),
  ];
  // Whatever fails ends the soak.
  const failed = Promise.all(everything);
  const minutes: Minute[] = [];
  for (let i = 0; i < MINUTES; i++) {
    await Promise.race([sleep(60_000), failed]);
    minutes.push(await sample(soak));
    console.log(`${String(i + 1).padStart(3)} min  ${line(minutes.at(-1)!)}`);
  }
  end.abort();
  await failed;
  await drained(product);
  await product.verify();
  return verdict(minutes);
}

/** Again and again at a steady pace; what takes longer than its turn leaves turns out. */
async function every(ms: number, end: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  for (let next = performance.now(); !end.aborted; next = Math.max(next + ms, performance.now())) {
    await sleep(Math.max(0, next - performance.now()));
    await work();
  }
}

function single({ call }: Product): Promise<unknown> {
  return call.call(product, 'POST', '/sendings', {
    type: 'viber',
    recipient: '+79161234567',
    payload: { sender: 'MIRTEA', text: 'Your code is 1234' },
  });
}

async function look(soak: Soak): Promise<void> {
  const started = performance.now();
  await soak.product.call('GET', '/sendings?$limit=16');
  soak.looks.push(performance.now() - started);
}

/** The lag as an operator would see it. */
async function watch(soak: Soak): Promise<void> {
  const url = new URL('/metrics', soak.product.base);
  const answer = await fetch(url, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await answer.text();
  const all = (name: string, label = '') =>
    text
      .split('\n')
      .filter((one) => one.startsWith(`heliograph_${name}{`) && one.includes(label))
      .map((one) => Number(one.slice(one.lastIndexOf(' '))));
  soak.worstLag = Math.max(soak.worstLag, ...all('submit_lag_seconds'));
  soak.waitingJobs = Math.max(soak.waitingJobs, ...all('queue_jobs', 'state="wait"'));
}

async function sample(soak: Soak): Promise<Minute> {
  const { rows } = await product.db.query<{ n: number; table: number; indexes: number }>(
    `select count(*)::int as n,
            (select sum(pg_table_size(c))::float8 from unnest($1::regclass[]) c) as table,
            (select sum(pg_indexes_size(c))::float8 from unnest($1::regclass[]) c) as indexes
       from sendings`,
    [['sendings', 'billings', 'batches', 'task_counters', 'tasks']],
  );
  const { n, table, indexes } = rows[0]!;
  const minute = {
    rows: n,
    memory: await product.memory(),
    bytes: { table: table / n, indexes: indexes / n },
    lagSeconds: soak.worstLag,
    waitingJobs: soak.waitingJobs,
    listP99: percentile(soak.looks, 0.99),
  };
  Object.assign(soak, { looks: [], worstLag: 0, waitingJobs: 0 });
  return minute;
}

function line({ rows, memory, bytes, lagSeconds, waitingJobs, listP99 }: Minute): string {
  const mb = Object.entries(memory).map(([role, n]) => `${role} ${say(n)}`);
  return [
    `${say(rows)} messages`,
    `MB: ${mb.join(', ')}`,
    `bytes a message: ${say(bytes.table)} + ${say(bytes.indexes)} index`,
    `lag ${say(lagSeconds)} s, ${waitingJobs} jobs`,
    `list p99 ${say(listP99)} ms`,
  ].join('  ');
}

async function drained({ db }: Product): Promise<void> {
  for (;;) {
    const { rows } = await db.query(`select 1 from tasks where state = 'running' limit 1`);
    if (!rows.length) return;
    await sleep(200);
  }
}

/** Compares the last third with the first one, the first minute left out: it fills caches and pools. */
function verdict(minutes: Minute[]): number {
  const third = Math.floor((minutes.length - 1) / 3);
  if (third < 1) {
    console.log('Too short to tell; give it four minutes or more.');
    return 0;
  }
  const early = minutes.slice(1, 1 + third);
  const late = minutes.slice(-third);
  const grown: string[] = [];
  const compare = (what: string, of: (minute: Minute) => number, slack = 0) => {
    const [before, after] = [median(early.map(of)), median(late.map(of))];
    if (after > before * MORE + slack) grown.push(`${what}: ${say(before)} -> ${say(after)}`);
  };
  for (const role of Object.keys(minutes[0]!.memory))
    compare(`memory of ${role}, MB`, (m) => m.memory[role]!, SLACK.memory);
  compare('bytes a message in tables', (m) => m.bytes.table);
  compare('bytes a message in indexes', (m) => m.bytes.indexes);
  compare('jobs that wait', (m) => m.waitingJobs, SLACK.jobs);
  compare('p99 of a list, ms', (m) => m.listP99, SLACK.list);
  const lag = Math.max(...minutes.map((m) => m.lagSeconds));
  if (lag > LAG_SECONDS) grown.push(`lag: up to ${say(lag)} s`);
  console.log(grown.length ? `Not flat:\n  ${grown.join('\n  ')}` : 'Flat.');
  return grown.length ? 1 : 0;
}
