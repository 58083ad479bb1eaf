import pg from 'pg';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pgbouncer } from '../../../scripts/lib/pgbouncer.mjs';
import type { OwnRedis } from '../../../scripts/lib/redis.mjs';
import { withDatabase } from './global-setup.ts';

/** A PgBouncer in transaction mode before the database of the tests, with few sessions; it can be killed. */
export class Pooler {
  private readonly folder = mkdtempSync(join(tmpdir(), 'heliograph-pooler-'));
  private server: OwnRedis;
  private readonly onExit = () => this.killNow();

  private constructor(private readonly size: number) {}

  static async start(size: number): Promise<Pooler> {
    const pooler = new Pooler(size);
    chmodSync(pooler.folder, 0o711); // as root the server runs under an account of its own, which has to pass
    process.once('exit', pooler.onExit);
    await pooler.open();
    return pooler;
  }

  get url(): string {
    return this.server.url;
  }

  async kill(): Promise<void> {
    this.killNow();
    await this.server.exited;
  }

  /** Again at the same address. */
  startAgain(): Promise<void> {
    return this.open(Number(new URL(this.url).port));
  }

  /** Of the database that a URL names: sessions, and clients that wait for one. */
  async pool(url: string): Promise<{ sessions: number; waiting: number }> {
    const console = new pg.Client(withDatabase(this.url, 'pgbouncer'));
    await console.connect();
    try {
      const { rows } = await console.query<Record<string, string>>('show pools');
      const pool = rows.find((row) => row['database'] === new URL(url).pathname.slice(1));
      const [active, idle, used] = ['sv_active', 'sv_idle', 'sv_used'].map((name) =>
        Number(pool?.[name] ?? 0),
      ) as [number, number, number];
      return { sessions: active + idle + used, waiting: Number(pool?.['cl_waiting'] ?? 0) };
    } finally {
      await console.end();
    }
  }

  async stop(): Promise<void> {
    process.off('exit', this.onExit);
    await this.server?.stop();
    if (this.server) rmSync(this.server.home, { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async open(port?: number): Promise<void> {
    const url = process.env.DATABASE_URL!;
    this.server = await pgbouncer({ dataDir: this.folder, url, size: this.size, port });
  }

  private killNow(): void {
    try {
      process.kill(this.server.pid, 'SIGKILL');
    } catch {
      // It has exited, or was never there.
    }
  }
}
