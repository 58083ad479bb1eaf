import { hash } from '@node-rs/argon2';
import { createClient, type Client, type Level, type Role } from '@heliograph/contract';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { connect, createApi, createContext, createWorker } from '../src/app.ts';
import { Clock } from '../src/core/clock.ts';
import { loadConfig, type Config } from '../src/core/config.ts';
import { createDataSource } from '../src/core/db/data-source.ts';
import { Db } from '../src/core/db/db.ts';
import { createLog } from '../src/core/log.ts';
import { ProcessKind, type ProcessName } from '../src/core/process-kind.ts';
import { RateLimits } from '../src/core/rate-limits.ts';
import { ChannelsService } from '../src/features/channels/channels.service.ts';
import { RoutesService } from '../src/features/routes/routes.service.ts';
import { SmppServer } from '../src/features/smpp/smpp-server.service.ts';
import { DispatchService } from '../src/features/sendings/dispatch/dispatch.service.ts';
import { BASE_TARIFF } from '../../../seeds/base.ts';
import { AcquirerPeer, SANDBOX_SECRET } from './acquirer-peer.ts';
import { GATEWAY_TOKEN, GatewayPeer } from './gateway-peer.ts';
import { withDatabase } from './global-setup.ts';
import { until } from './until.ts';

export { until } from './until.ts';

/** What stands between the product and the database of the tests, or beside it. */
export interface Servers {
  poolerUrl?: string;
  replicaUrl?: string;
}

/** Settings for a database of the tests. */
function databaseOf(name: string, { poolerUrl, replicaUrl }: Servers): Record<string, string> {
  const DATABASE_URL = withDatabase(process.env.DATABASE_URL!, name);
  return {
    ...(poolerUrl
      ? { DATABASE_URL: withDatabase(poolerUrl, name), DATABASE_DIRECT_URL: DATABASE_URL }
      : { DATABASE_URL }),
    ...(replicaUrl && { DATABASE_READ_URL: withDatabase(replicaUrl, name) }),
  };
}

export class FakeClock extends Clock {
  private offset = 0;
  override now(): Date {
    return new Date(Date.now() + this.offset);
  }
  forward(seconds: number): void {
    this.offset += seconds * 1000;
  }
}

export interface Person {
  id: string;
  username: string;
  OwnerId: string;
  token: string;
  api: Client;
}

export const PASSWORD = 'heliograph';
/** Cheap to verify: each person signs in once. */
const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1 };
let passwordHash: Promise<string> | undefined;

/** The product on a clone of the template database: an API on a port, workers on demand, users with sessions. */
export class World {
  readonly clock = new FakeClock();
  api: NestExpressApplication;
  base: string;
  db: Db;
  config: Config;
  readonly acquirer = new AcquirerPeer();
  readonly gateway = new GatewayPeer(() => this.clock.now().getTime());
  /** The one that runs: some tests send processes elsewhere. */
  private redisUrl: string;
  private readonly apps: INestApplicationContext[] = [];
  private readonly database = `heliograph_test_${process.pid}_${randomUUID().slice(0, 8)}`;
  private readonly files = mkdtempSync(join(tmpdir(), 'heliograph-'));
  private readonly log = createLog(process.env.TEST_LOG ?? 'error', 'test');

  /** `npm test -- --pooled` and `--replicated` set an address for all worlds. */
  static async start(
    env: Record<string, string> = {},
    { poolerUrl = process.env.POOLER_URL, replicaUrl = process.env.REPLICA_URL }: Servers = {},
  ): Promise<World> {
    const world = new World();
    // Copied as files: the other strategy writes every page to the log.
    await world.admin(
      `create database ${world.database} template ${process.env.TEMPLATE_DATABASE} strategy file_copy`,
    );
    world.config = loadConfig({
      ...databaseOf(world.database, { poolerUrl, replicaUrl }),
      // Pub/sub is shared by all databases of a Redis, queues are not.
      REDIS_URL: `${process.env.REDIS_URL!.replace(/\/\d*$/, '')}/${Number(process.env.VITEST_POOL_ID ?? 1) % 16}`,
      NODE_ENV: 'test',
      FILES_DIR: world.files,
      DATABASE_POOL: '12',
      // Tests fill and count whole tables over the same connections, on machines with unknown load.
      DATABASE_READ_SECONDS: '60',
      DATABASE_WRITE_SECONDS: '60',
      CABINET_DIR: join(world.files, 'no-cabinet'),
      TEXT_GENERATOR: 'local',
      TTS: 'local',
      MAIL_TRANSPORT: 'log',
      PAYMENT_METHODS: 'sandbox',
      PAYMENT_SANDBOX_URL: await world.acquirer.start(),
      PAYMENT_SANDBOX_SECRET: SANDBOX_SECRET,
      WAPI_GATEWAY_URL: await world.gateway.start(),
      WAPI_GATEWAY_TOKEN: GATEWAY_TOKEN,
      // All users sign in from one address.
      RATE_SCALE: '100',
      CHANNEL_ALLOWED_HOSTS: '127.0.0.0/8',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8',
      OIDC_ALLOWED_HOSTS: '127.0.0.0/8',
      // Most tests are not about sender names; those that are override this.
      SENDERNAMES_CHECK: 'sms',
      ...env,
    });
    world.redisUrl = world.config.REDIS_URL;
    const redis = new Redis(world.redisUrl);
    await redis.flushdb();
    redis.disconnect();
    const first = await world.startApi();
    world.api = first.app;
    world.base = first.base;
    world.db = first.app.get(Db);
    return world;
  }

  /** Starts another API in this process, with its own settings if given. */
  async startApi(
    settings: Partial<Config> = {},
  ): Promise<{ app: NestExpressApplication; base: string }> {
    const parts = await this.parts('api');
    const config = Object.assign(Object.create(parts.config) as Config, settings);
    const app = await createApi({ ...parts, config });
    await app.listen(0, '127.0.0.1');
    this.apps.push(app);
    if (config.REDIS_URL === this.redisUrl) await sharesCounts(app);
    const { port } = (app.getHttpServer() as Server).address() as { port: number };
    return { app, base: `http://127.0.0.1:${port}` };
  }

  async startWorker(): Promise<INestApplicationContext> {
    const worker = await createWorker(await this.parts('worker'));
    this.apps.push(worker);
    return worker;
  }

  /** Starts an SMPP server on free ports, with its own settings if given. */
  async startSmpp(
    settings: Partial<Config> = {},
  ): Promise<{ app: INestApplicationContext; port: number; tlsPort: number | null }> {
    const parts = await this.parts('program');
    const config = Object.assign(Object.create(parts.config) as Config, {
      SMPP_PORT: 0,
      ...settings,
    });
    const app = await createContext({ ...parts, config });
    this.apps.push(app);
    if (config.REDIS_URL === this.redisUrl) await sharesCounts(app);
    const { port, tlsPort } = await app.get(SmppServer, { strict: false }).listen();
    return { app, port: port!, tlsPort };
  }

  client(token?: string, base = this.base): Client {
    return createClient({ base: `${base}/api`, token: () => token });
  }

  /** A transaction that waits for the product, however slow the machine: Postgres ends those of the product that are idle for a lease. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    return this.db.transaction(async () => {
      await this.db.query(`set local idle_in_transaction_session_timeout = 0`);
      return work();
    });
  }

  /** Within `hold`: until a statement of the product waits for it. `pg_stat_activity` would not do: a transaction reads it once. */
  async waitedFor(what: string): Promise<void> {
    await until(async () => {
      const waiting = await this.db.query(
        `select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`,
      );
      return waiting.length;
    }, what);
  }

  /** An account holder with a balance, a tariff and an open session. */
  async person(
    options: {
      level?: Level;
      resellerId?: string;
      managerId?: string;
      balance?: number;
      grants?: object;
      name?: string;
    } = {},
  ): Promise<Person> {
    const id = randomUUID();
    const username = options.name ?? `user-${id.slice(0, 8)}`;
    await this.db.query(
      `insert into users (id, username, password_hash, owner_id, level, reseller_id, manager_id, grants, is_verified, email_confirmed_at, phone_confirmed_at)
       values ($1, $2, $3, $1, $4, $5, $6, $7, true, now(), now())`,
      [
        id,
        username,
        await (passwordHash ??= hash(PASSWORD, CHEAP)),
        options.level ?? 'me',
        options.resellerId ?? null,
        options.managerId ?? null,
        options.grants ?? {},
      ],
    );
    await this.db.query(`insert into users_tariffs (owner_id, tariff_id) values ($1, $2)`, [
      id,
      BASE_TARIFF,
    ]);
    await this.db.query(`insert into balances (owner_id, balance) values ($1, $2)`, [
      id,
      options.balance ?? 1000,
    ]);
    await this.db.query(`insert into billings (owner_id, source, amount) values ($1, -1, $2)`, [
      id,
      options.balance ?? 1000,
    ]);
    const session = await this.login(username);
    return { id, username, OwnerId: id, token: session, api: this.client(session) };
  }

  /** A member of the team of an account, with an open session. */
  async member({ OwnerId }: Pick<Person, 'OwnerId'>, role: Role): Promise<Person> {
    const id = randomUUID();
    const username = `${role.toLowerCase()}-${id.slice(0, 8)}`;
    await this.db.query(
      `insert into users (id, username, password_hash, owner_id, level, role, email_confirmed_at)
       values ($1, $2, $3, $4, 'me', $5, now())`,
      [id, username, await (passwordHash ??= hash(PASSWORD, CHEAP)), OwnerId, role],
    );
    const session = await this.login(username);
    return { id, username, OwnerId, token: session, api: this.client(session) };
  }

  async login(username: string, password = PASSWORD): Promise<string> {
    const answer = await fetch(`${this.base}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    const { token } = (await answer.json()) as { token?: string };
    if (!token) throw new Error(`${username} could not sign in: ${answer.status}`);
    return token;
  }

  /** Submits what is due in the process of the API, which opens channels for this: for tests that have no worker. */
  async submit(): Promise<void> {
    Object.assign(this.api.get(ProcessKind), { kind: 'worker' });
    const dispatch = this.api.get(DispatchService, { strict: false });
    await dispatch.dispatch();
    await dispatch.idle();
  }

  /** Invalidates the cached channels and routes of all APIs and workers. */
  forgetChannels(): void {
    for (const app of this.apps) {
      app.get(ChannelsService, { strict: false }).forget();
      app.get(RoutesService, { strict: false }).forget();
    }
  }

  async stop(): Promise<void> {
    const sources = this.apps.map((app) => app.get(Db).dataSource);
    for (const app of this.apps.reverse()) await app.close();
    this.acquirer.stop();
    this.gateway.stop();
    for (const source of sources) if (source.isInitialized) await source.destroy();
    await this.admin(`drop database if exists ${this.database} with (force)`);
    rmSync(this.files, { recursive: true, force: true });
  }

  private async parts(kind: ProcessName) {
    return {
      config: this.config,
      log: this.log,
      clock: this.clock,
      dataSource: await connect(this.config, kind),
    };
  }

  /** Runs a statement that may not be within a transaction, such as VACUUM, past a pooler. */
  async alone(sql: string, url = this.config.directUrl): Promise<void> {
    const source = await createDataSource(url, [], 1).initialize();
    try {
      await source.query(sql);
    } finally {
      await source.destroy();
    }
  }

  private admin(sql: string): Promise<void> {
    return this.alone(sql, process.env.DATABASE_URL!);
  }
}

/**
 * Counts of attempts are shared from the first call on: the process has found Redis, and waits for it however busy the machine is. By default a
 * command that takes longer than a second is counted by the process alone, which then knows nothing of the attempts before.
 */
async function sharesCounts(app: INestApplicationContext): Promise<void> {
  const { redis } = app.get(RateLimits, { strict: false });
  redis.options.commandTimeout = undefined;
  await until(async () => redis.status === 'ready', 'Redis to be found');
}
