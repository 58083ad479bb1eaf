import pg from 'pg';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgres } from '../../../scripts/lib/postgres.mjs';
import { standby } from '../../../scripts/lib/standby.mjs';
import type { OwnRedis } from '../../../scripts/lib/redis.mjs';
import setup, { withDatabase } from './global-setup.ts';
import { World } from './world.ts';

const VARIABLES = ['DATABASE_URL', 'TEMPLATE_DATABASE'] as const;

/** A world whose database has a streaming replica, over a line that can be cut. Both servers are its own. */
export class Replicated {
  world: World;
  private readonly folder = mkdtempSync(join(tmpdir(), 'heliograph-replica-'));
  private readonly kept = VARIABLES.map((name) => [name, process.env[name]] as const);
  private primary?: OwnRedis;
  private replica?: OwnRedis;
  private line?: Server;
  private isCut = false;
  private readonly sockets = new Set<Socket>();
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

  /** A statement at the replica itself, in the database of the world. */
  async atReplica(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(
      withDatabase(this.replica!.url, new URL(this.world.config.DATABASE_URL).pathname.slice(1)),
    );
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** What is sent over the line to the replica from now on arrives nowhere, and nobody is told. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.pause().removeAllListeners('data');
  }

  /** Connections that are made from now on reach the replica again. */
  mend(): void {
    this.isCut = false;
  }

  async kill(): Promise<void> {
    process.kill(this.replica!.pid, 'SIGQUIT');
    await this.replica!.exited;
  }

  /** Again at the same address. */
  async startAgain(): Promise<void> {
    this.replica = await postgres({ dataDir: join(this.folder, 'replica') });
  }

  async stop(): Promise<void> {
    process.off('exit', this.onExit);
    await this.world?.stop();
    for (const socket of this.sockets) socket.destroy();
    this.line?.close();
    for (const server of [this.replica, this.primary]) {
      await server?.stop();
      if (server) rmSync(server.home, { recursive: true, force: true });
    }
    rmSync(this.folder, { recursive: true, force: true });
    for (const [name, value] of this.kept) process.env[name] = value;
  }

  private async open(): Promise<void> {
    this.primary = await postgres({ dataDir: join(this.folder, 'primary') });
    process.env['DATABASE_URL'] = this.primary.url;
    // It goes with its server.
    await setup();
    this.replica = await standby({ dataDir: join(this.folder, 'replica'), primary: this.primary });
    this.line = createServer((near) => {
      this.sockets.add(near.once('close', () => this.sockets.delete(near)));
      near.on('error', () => undefined);
      if (this.isCut) return;
      const far = connect(Number(new URL(this.replica!.url).port), '127.0.0.1');
      far.on('error', () => near.destroy()).once('close', () => !this.isCut && near.destroy());
      near.once('close', () => far.destroy());
      near.on('data', (data) => far.write(data));
      far.on('data', (data) => !this.isCut && near.write(data));
    });
    await new Promise<void>((resolve) => this.line!.listen(0, '127.0.0.1', resolve));
    const { port } = this.line.address() as AddressInfo;
    const address = new URL(this.replica.url);
    address.port = String(port);
    this.world = await World.start({}, { replicaUrl: address.href });
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
