import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'apps/api/dist/apps/api/src');
const TICKS = 100;

/** The product as its users run it, on a database of its own: an API process, workers, and a door to the database. */
export class Product {
  readonly processes: ChildProcess[] = [];
  db: pg.Pool;
  base: string;
  token: string;
  OwnerId: string;
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  static async start(
    options: { workers?: number; env?: Record<string, string> } = {},
  ): Promise<Product> {
    const name = `heliograph_bench_${process.pid}`;
    const admin = new pg.Client(process.env.DATABASE_URL);
    await admin.connect();
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name}`);
    await admin.end();
    const url = new URL(process.env.DATABASE_URL!);
    url.pathname = `/${name}`;
    const product = new Product(url.toString());
    const port = await freePort();
    const env = {
      ...process.env,
      DATABASE_URL: product.url,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      ...options.env,
    };
    for (const command of ['migrate', 'seed', 'demo'])
      await run('cli.js', [command], { ...env, DEMO: '1' });
    product.spawn('main.js', env);
    for (let i = 0; i < (options.workers ?? 1); i++) product.spawn('worker.js', env);
    product.base = `http://127.0.0.1:${port}/api`;
    product.db = new pg.Pool({ connectionString: product.url, max: 4 });
    await product.ready();
    await product.signIn();
    return product;
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(this.base + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(this.token && { authorization: this.token }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const json = (await answer.json()) as T;
    if (!answer.ok)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json).slice(0, 300)}`);
    return json;
  }

  /** CPU seconds of every process of the product, of Postgres and of Redis, since they started. */
  cpu(): number {
    const ours = new Set(this.processes.map((p) => p.pid));
    let ticks = 0;
    for (const pid of readdirSync('/proc').filter((n) => /^\d+$/.test(n))) {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (ours.has(Number(pid)) || /^(postgres|redis-server|valkey-server)$/.test(command)) {
          // utime, stime, and those of ended children, whose connections are closed already.
          ticks += [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0);
        }
      } catch {
        // Ended between the listing and the look.
      }
    }
    return ticks / TICKS;
  }

  async stop(): Promise<void> {
    await this.db?.end();
    for (const child of this.processes) child.kill('SIGTERM');
    await Promise.all(
      this.processes.map((c) =>
        c.exitCode === null ? new Promise((done) => c.once('exit', done)) : null,
      ),
    );
    const admin = new pg.Client(process.env.DATABASE_URL);
    await admin.connect();
    await admin.query(
      `drop database if exists ${new URL(this.url).pathname.slice(1)} with (force)`,
    );
    await admin.end();
  }

  private spawn(file: string, env: NodeJS.ProcessEnv): void {
    this.processes.push(
      spawn(process.execPath, [join(dist, file)], {
        env,
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
      }),
    );
  }

  private async ready(): Promise<void> {
    for (let i = 0; i < 100; i++) {
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
    await this.db.query(`update balances set balance = balance + 100000000 where owner_id = $1`, [
      this.OwnerId,
    ]);
    await this.db.query(
      `insert into billings (owner_id, source, amount) values ($1, -1, 100000000)`,
      [this.OwnerId],
    );
  }
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

function run(file: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [join(dist, file), ...args], {
    env,
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code ? reject(new Error(`${file} ${args.join(' ')} ended with ${code}`)) : resolve(),
    );
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
