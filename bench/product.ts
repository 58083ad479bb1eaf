import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { workerFlags } from '../scripts/lib/worker-flags.mjs';
import { cpuSeconds, familyMb, familySeconds, parentOf, peakMb, residentMb } from './proc.ts';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const dist = join(root, 'apps/api/dist/apps/api/src');
/** The program before it is bundled, of which single modules are measured. */
export const compiled = join(root, 'apps/api/dist/compiled/apps/api/src');

export interface ProductOptions {
  workers?: number;
  env?: Record<string, string>;
}

export interface Process {
  role: string;
  child: ChildProcess;
}

/** The product as its users run it, on a database of its own: an API process, workers, and a door to the database. */
export class Product {
  readonly processes: Process[] = [];
  db: pg.Pool;
  base: string;
  token: string;
  OwnerId: string;
  readonly url: string;
  readonly env: NodeJS.ProcessEnv;
  private readonly redis = new Redis(process.env.REDIS_URL!);
  private postmaster: number;

  private constructor(url: string, port: number, env: Record<string, string> = {}) {
    this.url = url;
    this.base = `http://127.0.0.1:${port}/api`;
    this.env = {
      ...process.env,
      DATABASE_URL: url,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      // Counted as ever, and not refused.
      RATE_SCALE: '1000',
      CHANNEL_ALLOWED_HOSTS: '127.0.0.0/8',
      ...env,
    };
  }

  static async start({ workers = 1, env }: ProductOptions = {}): Promise<Product> {
    const name = `heliograph_bench_${process.pid}`;
    await asAdmin(`drop database if exists ${name} with (force)`, `create database ${name}`);
    const url = new URL(process.env.DATABASE_URL!);
    url.pathname = `/${name}`;
    const product = new Product(url.toString(), await freePort(), env);
    try {
      for (const command of ['migrate', 'seed', 'demo']) await product.cli(command);
      product.db = new pg.Pool({ connectionString: product.url, max: 4 });
      const { rows } = await product.db.query<{ pid: number }>(`select pg_backend_pid() as pid`);
      product.postmaster = parentOf(rows[0]!.pid);
      product.spawnApi();
      product.startWorkers(workers);
      await product.ready();
      await product.signIn();
    } catch (error) {
      await product.stop();
      throw error;
    }
    return product;
  }

  startWorkers(n: number): void {
    for (let i = 0; i < n; i++) this.spawn('worker', join(dist, 'worker.js'), {}, workerFlags);
  }

  /** Another API process in place of the one that runs: its memory is that of a fresh one. */
  async restartApi(): Promise<void> {
    const place = this.processes.findIndex(({ role }) => role === 'api');
    await this.end(this.processes.splice(place, 1)[0]!);
    this.spawnApi();
    await this.ready();
  }

  private spawnApi(): void {
    this.spawn('api', join(dist, 'main.js'));
  }

  /** A process beside the product, ended with it. With BENCH_PROFILE it leaves the CPU profiles of its threads there, in a folder by role. */
  spawn(
    role: string,
    file: string,
    env: Record<string, string> = {},
    flags: string[] = [],
  ): ChildProcess {
    const folder = process.env.BENCH_PROFILE;
    const profile = folder ? ['--cpu-prof', `--cpu-prof-dir=${join(folder, role)}`] : [];
    const child = spawn(process.execPath, [...flags, ...profile, file], {
      env: { ...this.env, ...env },
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    this.processes.push({ role, child });
    return child;
  }

  async call<T>(method: string, path: string, body?: unknown, token = this.token): Promise<T> {
    const answer = await fetch(this.base + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: token }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const json = (await answer.json()) as T;
    if (!answer.ok)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json).slice(0, 300)}`);
    return json;
  }

  /** CPU seconds since their start by role; `postgres` is the whole server, so nothing else may use it meanwhile. */
  async cpu(): Promise<Record<string, number>> {
    const used: Record<string, number> = {};
    for (const { role, child } of this.processes)
      used[role] = (used[role] ?? 0) + cpuSeconds(child.pid!);
    used.postgres = familySeconds(this.postmaster);
    const info = await this.redis.info('cpu');
    used.redis = ['used_cpu_sys', 'used_cpu_user'].reduce(
      (sum, name) => sum + Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)![1]),
      0,
    );
    return used;
  }

  /** CPU seconds spent since an earlier look, by role and in all. */
  async cpuSince(before: Record<string, number>): Promise<Record<string, number>> {
    const spent = Object.fromEntries(
      Object.entries(await this.cpu()).map(([role, s]) => [role, s - (before[role] ?? 0)]),
    );
    return { ...spent, all: Object.values(spent).reduce((a, b) => a + b, 0) };
  }

  /** Resident memory now by role, in MB. */
  async memory(): Promise<Record<string, number>> {
    const used: Record<string, number> = {};
    for (const { role, child } of this.processes)
      used[role] = (used[role] ?? 0) + residentMb(child.pid!);
    used.postgres = familyMb(this.postmaster);
    const info = await this.redis.info('memory');
    used.redis = Number(/^used_memory_rss:(\d+)/m.exec(info)![1]) / 2 ** 20;
    return used;
  }

  /** The most resident memory that a process of a role had since its start, in MB. */
  peakMb(role: string): number {
    const some = this.processes.filter((p) => p.role === role);
    return Math.max(...some.map(({ child }) => peakMb(child.pid!)));
  }

  /** Fails when `cli verify` finds that money, statuses and counters disagree: a fast wrong result does not count. */
  verify(): Promise<void> {
    return this.cli('verify');
  }

  async end({ child }: Process): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    await ended;
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((p) => this.end(p)));
    await this.db?.end();
    this.redis.disconnect();
    await asAdmin(`drop database if exists ${new URL(this.url).pathname.slice(1)} with (force)`);
  }

  async cli(command: string): Promise<void> {
    const child = spawn(process.execPath, [join(dist, 'cli.js'), command], {
      env: this.env,
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const code = await new Promise((done) => child.once('exit', done));
    if (code !== 0) throw new Error(`cli ${command} ended with ${code}`);
  }

  private async ready(): Promise<void> {
    for (let i = 0; i < 900; i++) {
      const answer = await fetch(`${this.base}/health`).catch(() => null);
      if (answer?.ok) return;
      await sleep(100);
    }
    throw new Error('the product did not become ready');
  }

  private async signIn(): Promise<void> {
    const session = await this.call<{ token: string; id: string }>('POST', '/login', {
      username: 'customer',
      password: 'heliograph',
    });
    this.token = session.token;
    this.OwnerId = session.id;
    await enrich(this, [this.OwnerId]);
  }
}

/** Money enough for everything here, with its entries, so that the ledger still adds up. */
export async function enrich({ db }: Product, owners: string[]): Promise<void> {
  await db.query(
    `insert into billings (owner_id, source, amount) select unnest($1::uuid[]), -1, 100000000`,
    [owners],
  );
  await db.query(`update balances set balance = balance + 100000000 where owner_id = any($1)`, [
    owners,
  ]);
}

/** A carrier that answers at once: receipts come in random order by themselves, 5 % fail. */
export const INSTANT = {
  failed: 0.05,
  temporary: 0,
  silent: 0,
  seen: 0,
  replies: 0,
  sentDelay: [0, 0],
  deliveredDelay: [0, 0],
  seenDelay: [0, 0],
};

export async function contactList(product: Product, count: number): Promise<string> {
  const { rows } = await product.db.query<{ id: string }>(
    `insert into contact_lists (owner_id, title, count) values ($1, 'Bench', $2) returning id`,
    [product.OwnerId, count],
  );
  await product.db.query(
    `insert into contacts (list_id, phone, first_name) select $1, '+7902' || lpad(n::text, 7, '0'), 'Name' || n from generate_series(1, $2) n`,
    [rows[0]!.id, count],
  );
  await product.db.query('analyze contacts');
  return rows[0]!.id;
}

/** Gives a channel its carrier: takes over from whatever took its types before. The product has seen it on return. */
export async function channel(
  product: Product,
  name: string,
  driver: string,
  types: string[],
  options: object,
): Promise<void> {
  await product.db.query(
    `insert into channels (name, driver, types, priority, options) values ($1, $2, $3, (select coalesce(max(priority), 0) + 1 from channels), $4)
     on conflict (name) do update set driver = $2, types = $3, options = $4, is_active = true`,
    [name, driver, types, options],
  );
  await sleep(CHANNELS_BELIEVED_MS);
}

export async function dropChannel(product: Product, name: string): Promise<void> {
  await product.db.query(`update channels set is_active = false where name = $1`, [name]);
  await sleep(CHANNELS_BELIEVED_MS);
}

/** Longer than a process caches the channels. */
const CHANNELS_BELIEVED_MS = 1500;

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function asAdmin(...statements: string[]): Promise<void> {
  const admin = new pg.Client(process.env.DATABASE_URL);
  await admin.connect();
  try {
    for (const sql of statements) await admin.query(sql);
  } finally {
    await admin.end();
  }
}
