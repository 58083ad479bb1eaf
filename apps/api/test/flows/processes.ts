import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { build } from '../../../../scripts/lib/build.mjs';
import { redis, type OwnRedis } from '../../../../scripts/lib/redis.mjs';
import { INSTANT } from '../factories.ts';
import { type Servers, World } from '../world.ts';
import { Running, type Ready } from './running.ts';

export type { Running };

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const built = join(root, 'apps/api/dist/apps/api/src');

export interface Carrier {
  process: Running;
  base: string;
  /** The references that it received, each once, with the number of submits. */
  log(): Promise<LoggedReference[]>;
  summary(): Promise<{ total: number; distinct: number; repeats: number }>;
}

export interface LoggedReference {
  reference: string;
  count: number;
  repeats: number;
  taken: boolean;
}

let compiling: Promise<unknown> | undefined;
/** Once for all tests of a file, and not at all when the sources are what they were. */
const compiled = () => (compiling ??= build(process.execPath, ['api']));
/** Such a name may be that of a folder in which the product is installed. */
const newFolder = () => mkdtempSync(join(tmpdir(), "heliograph's processes "));

/** The product as it is run, on the database and the Redis of a world: each part is a process that can be killed. */
export class Processes {
  private readonly running: Running[] = [];
  private ownRedis?: OwnRedis;
  private readonly onExit = () => {
    this.running.forEach((one) => one.killNow());
    if (this.ownRedis) killPid(this.ownRedis.pid);
  };

  private constructor(
    readonly world: World,
    private readonly env: Record<string, string>,
    readonly folder: string,
  ) {
    process.once('exit', this.onExit);
  }

  /** Compiles the API when its sources have changed since. `env` is for the world and for every process, and so are a pooler and a replica. */
  static async start(env: Record<string, string> = {}, servers: Servers = {}): Promise<Processes> {
    await compiled();
    return new Processes(await World.start(env, servers), env, newFolder());
  }

  /** With a separate Redis, which the test may flush and kill. */
  static async withOwnRedis(env: Record<string, string> = {}): Promise<Processes> {
    const folder = newFolder();
    chmodSync(folder, 0o711); // as root the server runs under an account of its own, which has to pass
    const own = await redis({ dataDir: folder, durable: false });
    try {
      await compiled();
      const all = { ...env, REDIS_URL: own.url };
      const cluster = new Processes(await World.start(all), all, folder);
      cluster.ownRedis = own;
      return cluster;
    } catch (error) {
      await own.stop();
      throw error;
    }
  }

  async flushRedis(): Promise<void> {
    const client = new Redis(this.ownRedis!.url);
    await client.flushall();
    client.disconnect();
  }

  async killRedis(): Promise<void> {
    killPid(this.ownRedis!.pid);
    await this.ownRedis!.exited;
  }

  /** Again at the same address, with nothing in it. */
  async startRedis(): Promise<void> {
    this.ownRedis = await redis({ dataDir: this.folder, durable: false });
  }

  async api(
    name = 'api',
    env: Record<string, string> = {},
  ): Promise<{ process: Running; base: string }> {
    // The program reports its port: one that was free before may be in use meanwhile.
    const all = { PORT: '0', HOST: '127.0.0.1', ...env };
    const isReady: Ready = (output) => output.includes('API listening');
    const process = await this.run(name, [join(built, 'main.js')], all, isReady);
    return { process, base: process.keepPort(/"port":(\d+)/) };
  }

  worker(name = 'worker', env: Record<string, string> = {}): Promise<Running> {
    const isReady: Ready = (output) => output.includes('worker started');
    return this.run(name, [join(built, 'worker.js')], env, isReady);
  }

  /** The SMPP server, with the ports that it opened. */
  async smpp(env: Record<string, string> = {}): Promise<{ process: Running; ports: number[] }> {
    const all = { SMPP_PORT: '0', HOST: '127.0.0.1', ...env };
    const isReady: Ready = (output) => output.includes('SMPP server listening');
    const process = await this.run('smpp', [join(built, 'smpp.js')], all, isReady);
    const ports = [...process.output.matchAll(/"(?:tlsP|p)ort":(\d+)/g)].map(([, port]) => +port!);
    return { process, ports };
  }

  /** Starts a carrier in a separate process, and creates its channel for these types. It reports to an API. */
  async carrier(
    api: string,
    profile: object = {},
    options: { types?: string[]; channel?: object } = {},
  ): Promise<Carrier> {
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const env = {
      PORT: '0',
      SECRET: secret,
      CALLBACK_URL: `${api}/api/channels/carrier/statuses`,
      INCOMING_URL: `${api}/api/channels/carrier/incoming`,
      LOG_FILE: join(this.folder, 'carrier.journal'),
    };
    const file = join(root, 'apps/simulator/src/main.ts');
    const program = await this.run('carrier', [file], env, (output) =>
      output.includes('simulated carrier on'),
    );
    const base = program.keepPort(/simulated carrier on http:\/\/[\d.]+:(\d+)/);
    await fetch(`${base}/profile`, {
      method: 'PUT',
      body: JSON.stringify({ ...INSTANT, ...profile }),
    });
    await this.world.db.query(
      `insert into channels (name, driver, types, priority, options) values ('carrier', 'http', $1, 100, $2)`,
      [options.types ?? ['sms', 'viber'], { url: `${base}/messages`, secret, ...options.channel }],
    );
    return {
      process: program,
      base,
      async log() {
        const text = await (await fetch(`${base}/log?format=ndjson`)).text();
        return text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as LoggedReference);
      },
      summary: async () => (await fetch(`${base}/log/summary`)).json() as never,
    };
  }

  /** Ends all processes, stopped ones too, and removes the database. */
  async stop(): Promise<void> {
    process.off('exit', this.onExit);
    for (const one of this.running) await one.kill();
    if (process.env.TEST_LOG)
      for (const { errors } of this.running) errors.forEach((line) => console.log(line));
    await this.world.stop();
    await this.ownRedis?.stop();
    if (this.ownRedis) rmSync(this.ownRedis.home, { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(
    name: string,
    files: string[],
    env: Record<string, string>,
    isReady: Ready,
  ): Promise<Running> {
    const { DATABASE_URL, REDIS_URL, FILES_DIR, CABINET_DIR } = this.world.config;
    const { CHANNEL_ALLOWED_HOSTS, OIDC_ALLOWED_HOSTS } = this.world.config;
    const hosts = { CHANNEL_ALLOWED_HOSTS, OIDC_ALLOWED_HOSTS };
    const own = { DATABASE_URL, REDIS_URL, FILES_DIR, CABINET_DIR, ...hosts };
    const { DATABASE_DIRECT_URL, DATABASE_READ_URL } = this.world.config;
    const SENDERNAMES_CHECK = this.world.config.SENDERNAMES_CHECK.join() || 'none';
    const defaults = {
      ...own,
      ...(DATABASE_DIRECT_URL && { DATABASE_DIRECT_URL }),
      ...(DATABASE_READ_URL && { DATABASE_READ_URL }),
      SENDERNAMES_CHECK,
      LOG_LEVEL: 'info',
    };
    const all = { NODE_ENV: 'production', ...defaults, ...this.env, ...env };
    const one = new Running(name, this.folder, files, all, isReady);
    this.running.push(one);
    return one.start();
  }
}

/** Whether an API has all that it needs. */
export async function isReady(base: string): Promise<boolean> {
  const answer = await fetch(`${base}/api/health/ready`);
  return ((await answer.json()) as { status: string }).status === 'ready';
}

function killPid(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited.
  }
}
