import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { instantCarrier } from './bulk.ts';
import type { Load, LoadResult } from './load.ts';
import { enrich, freePort, root, type Product } from './product.ts';
import { median, RUNS, say, type Bench, type Row } from './rows.ts';

const CONNECTIONS = 50;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const OWNERS = 50;

const run = promisify(execFile);

/** Generates load from a process of its own. */
export async function load(base: string, tokens: string[], seconds = SECONDS): Promise<LoadResult> {
  const what: Load = { url: `${base}/sendings`, connections: CONNECTIONS, seconds, tokens };
  const file = join(root, 'bench/load.ts');
  const { stdout } = await run(process.execPath, [file, JSON.stringify(what)]);
  return JSON.parse(stdout) as LoadResult;
}

/** Accounts like the customer's, each with a session. */
export async function accounts(product: Product, n: number): Promise<string[]> {
  const { rows } = await product.db.query<{ id: string; username: string }>(
    `with made as (
       insert into users (id, owner_id, username, password_hash, level, is_verified, phone_confirmed_at)
       select id, id, 'bench' || n, password_hash, 'me', true, now()
         from (select uuidv7() as id, n, u.password_hash from users u, generate_series(1, $2) n where u.id = $1) new_account
       returning id, username),
     balance as (insert into balances (owner_id) select id from made),
     names as (insert into sendernames (owner_id, name, type, moderation, comment) select id, 'MIRTEA', 'sms', 'approved', 'bench' from made),
     tariff as (insert into users_tariffs (owner_id, tariff_id) select made.id, tariff_id from made, users_tariffs where owner_id = $1)
     select id, username from made`,
    [product.OwnerId, n],
  );
  await enrich(
    product,
    rows.map((r) => r.id),
  );
  const tokens: string[] = [];
  for (const { username } of rows) {
    const body = { username, password: 'heliograph' };
    tokens.push((await product.call<{ token: string }>('POST', '/login', body)).token);
  }
  return tokens;
}

async function handlerAlone(product: Product): Promise<string> {
  const port = await freePort();
  product.spawn('handler', join(root, 'bench/handler-alone.ts'), { PORT: String(port) });
  const base = `http://127.0.0.1:${port}/api`;
  for (let i = 0; i < 100; i++) {
    if ((await fetch(`${base}/health`).catch(() => null))?.ok) return base;
    await sleep(100);
  }
  throw new Error('the handler alone did not become ready');
}

async function stored(product: Product): Promise<number> {
  const { rows } = await product.db.query<{ n: number }>(`select count(*)::int as n from sendings`);
  return rows[0]!.n;
}

/**
 * Every accepted message is there. So may be those of the end of a load: of each connection one that is answered but not counted any
 * more, and the next one.
 */
function checkKept(kept: number, accepted: number, loads: number): void {
  const surplus = kept - accepted;
  if (surplus < 0 || surplus > 2 * loads * CONNECTIONS)
    throw new Error(`${accepted} accepted, ${kept} kept`);
}

async function delivered(product: Product): Promise<void> {
  for (;;) {
    const { rows } = await product.db.query(`select 1 from batches where stage < 3 limit 1`);
    if (!rows.length) return;
    await sleep(100);
  }
}

function rowOf(bench: string, ours: LoadResult[], alone: LoadResult[]): Row[] {
  const rate = (some: LoadResult[]) => median(some.map((r) => r.perSecond));
  const p50 = median(ours.map((r) => r.p50));
  const p99 = median(ours.map((r) => r.p99));
  return [
    {
      bench,
      figure: `${say(rate(ours))} requests/s`,
      reference: `${say(rate(alone))}/s handler alone`,
      score: rate(ours) / rate(alone),
      accept: 0.3,
      aim: 0.55,
    },
    {
      bench: `${bench}, p99`,
      figure: `p50 ${p50} ms, p99 ${p99} ms`,
      score: p99,
      accept: 50,
      aim: 20,
      atMost: true,
    },
  ];
}

/** `POST /sendings` against the same route, session and validation whose service answers at once. */
export const singleBench: Bench = {
  product: { workers: 0 },
  async run(product) {
    await instantCarrier(product);
    const fifty = await accounts(product, OWNERS);
    const alone = await handlerAlone(product);
    // The demo world has messages of its own.
    const before = await stored(product);
    const one = [product.token];
    const kept: LoadResult[] = [];
    const ours = async (tokens: string[], seconds?: number) => {
      const result = await load(product.base, tokens, seconds);
      kept.push(result);
      return result;
    };
    await ours(one, 2);
    await load(alone, one, 2);
    const results = { alone: [], one: [], fifty: [], delivering: [] } as Record<
      string,
      LoadResult[]
    >;
    for (let i = 0; i < RUNS; i++) {
      results.alone!.push(await load(alone, one));
      results.one!.push(await ours(one));
      results.fifty!.push(await ours(fifty));
    }
    product.startWorkers(1);
    await delivered(product);
    for (let i = 0; i < RUNS; i++) results.delivering!.push(await ours(fifty));
    await delivered(product);
    checkKept(
      (await stored(product)) - before,
      kept.reduce((sum, r) => sum + r.accepted, 0),
      kept.length,
    );
    await product.verify();
    return [
      ...rowOf('single, one owner', results.one!, results.alone!),
      ...rowOf('single, fifty owners', results.fifty!, results.alone!),
      ...rowOf('single, while a worker submits', results.delivering!, results.alone!),
    ];
  },
};
