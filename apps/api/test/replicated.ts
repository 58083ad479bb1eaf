import pg from 'pg';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgres } from '../../../scripts/lib/postgres.mjs';
import { standby } from '../../../scripts/lib/standby.mjs';
import type { OwnRedis } from '../../../scripts/lib/redis.mjs';
import setup from './global-setup.ts';
import { Line } from './line.ts';
import { until } from './until.ts';

const VARIABLES = ['DATABASE_URL', 'TEMPLATE_DATABASE'] as const;
const portOf = ({ url }: OwnRedis) => Number(new URL(url).port);

/** A database with a streaming replica, each at the end of a line, which worlds that start now use. */
export class Replicated {
  readonly folder = mkdtempSync(join(tmpdir(), 'heliograph-replica-'));
  toPrimary: Line;
  toReplica: Line;
  private readonly kept = VARIABLES.map((name) => [name, process.env[name]] as const);
  private primary?: OwnRedis;
  private replica?: OwnRedis;
  private readonly onExit = () => this.killNow();

  private constructor() {
    process.once('exit', this.onExit);
  }

  static async start(): Promise<Replicated> {
    const replicated = new Replicated();
    chmodSync(replicated.folder, 0o711); // as root the servers run under an account of their own, which has to pass
    try {
      await replicated.open();
    } catch (error) {
      await replicated.stop();
      throw error;
    }
    return replicated;
  }

  get replicaUrl(): string {
    return this.toReplica.by(this.replica!.url);
  }

  atReplica(sql: string): Promise<Record<string, unknown>[]> {
    return ask(this.replica!, sql);
  }

  /** From now on a commit is answered when it is on the disk of both. */
  async waitForBoth(): Promise<void> {
    await ask(this.primary!, `alter system set synchronous_standby_names = '*'`);
    await ask(this.primary!, 'select pg_reload_conf()');
    await until(async () => {
      const standbys = `select 1 from pg_stat_replication where sync_state = 'sync'`;
      return (await ask(this.primary!, standbys)).length;
    }, 'the replica to be waited for');
  }

  async killReplica(): Promise<void> {
    process.kill(this.replica!.pid, 'SIGQUIT');
    await this.replica!.exited;
  }

  /** Again at the same address. */
  async startReplica(): Promise<void> {
    this.replica = await postgres({ dataDir: join(this.folder, 'replica') });
  }

  async killPrimary(): Promise<void> {
    process.kill(this.primary!.pid, 'SIGQUIT');
    await this.primary!.exited;
  }

  /** The replica takes the place of the primary, and its address. */
  async promote(): Promise<void> {
    await this.atReplica('select pg_promote()');
    this.toPrimary.lead(portOf(this.replica!));
  }

  /** After the worlds. */
  async stop(): Promise<void> {
    process.off('exit', this.onExit);
    this.toPrimary?.stop();
    this.toReplica?.stop();
    for (const server of [this.replica, this.primary]) {
      await server?.stop();
      if (server) rmSync(server.home, { recursive: true, force: true });
    }
    rmSync(this.folder, { recursive: true, force: true });
    for (const [name, value] of this.kept) process.env[name] = value;
  }

  private async open(): Promise<void> {
    this.primary = await postgres({ dataDir: join(this.folder, 'primary') });
    this.toPrimary = await Line.to(portOf(this.primary));
    process.env['DATABASE_URL'] = this.toPrimary.by(this.primary.url);
    // It goes with its server.
    await setup();
    this.replica = await standby({ dataDir: join(this.folder, 'replica'), primary: this.primary });
    this.toReplica = await Line.to(portOf(this.replica));
  }

  private killNow(): void {
    for (const server of [this.replica, this.primary]) {
      try {
        if (server) process.kill(server.pid, 'SIGKILL');
      } catch {
        // It has exited.
      }
    }
  }
}

async function ask({ url }: OwnRedis, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
