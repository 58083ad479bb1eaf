import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SmscOptions } from '@heliograph/simulators';
import { Running, type Ready } from '../apps/api/test/flows/running.ts';
import { postfix, type OwnPostfix } from '../scripts/lib/postfix.mjs';
import { postgres } from '../scripts/lib/postgres.mjs';
import { redis, type OwnRedis } from '../scripts/lib/redis.mjs';
import { workerFlags } from '../scripts/lib/worker-flags.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const built = join(root, 'apps/api/dist/apps/api/src');
/** The folder of the program before it is bundled, in a file for each source. */
export const compiled = join(root, 'apps/api/dist/compiled');
/** How long a process may take to start where much else runs. */
const PATIENCE_MS = 60_000;
/** What an API says whose answers took longer than its grace. */
const CUT_OFF = 'requests are cut off';
/** Loaded into the processes of the product, of whose clocks `putClock` is one. */
const PUT_CLOCK = `--import ${import.meta.resolve('../scripts/lib/put-clock.mjs')}`;
/** Clocks of the engine, short: what takes minutes in life takes seconds here. */
const CLOCKS = { LEASE_SECONDS: '3', EXPIRES_SECONDS: '6' };

/** The SMSC is in rounds of fallbacks only. */
export type Part = 'api' | 'api-2' | 'worker' | 'worker-2' | 'carrier' | 'smsc';
const WORKERS: Part[] = ['worker', 'worker-2'];

/** Where everything is that was started. */
export interface Address {
  env: Record<string, string>;
  apis: string[];
  carrier: string;
  journal: string;
  secret: string;
  /** In rounds of fallbacks: the SMSC with the journal of its events, and the mail server with the folder of its queue. */
  mobile?: { url: string; journal: string };
  mail?: { url: string; queue: string };
}

/** What rounds of fallbacks have: the account and the behaviour of the SMSC, and where the mail server hands on what it takes. */
export interface FallbackServers {
  smsc: SmscOptions;
  relay: string;
}

/** The product as it is run, with its servers, the carrier among them. Each part can be killed and comes up again where it was. */
export class Cluster {
  readonly parts: Record<Part, Running>;
  readonly address: Address;
  /** Parts that exited without being killed. */
  readonly crashed: string[] = [];
  /** Parts that exited late, with an error, or with unanswered calls after SIGTERM. */
  readonly uncleanExits: string[] = [];
  private readonly dir: string;
  private own: { postgres: OwnRedis; redis: OwnRedis; postfix?: OwnPostfix };
  private readonly relay?: string;
  private readonly busy = new Set<string>();

  private constructor(
    dir: string,
    own: Cluster['own'],
    address: Address,
    parts: Record<Part, Running>,
    relay?: string,
  ) {
    this.dir = dir;
    this.relay = relay;
    this.own = own;
    this.address = address;
    this.parts = parts;
  }

  /** `given` is for every process of the product; `program`: the folder of the built one. */
  static async open(
    dir: string,
    given: Record<string, string>,
    program = built,
    fallback?: FallbackServers,
  ): Promise<Cluster> {
    const own: Cluster['own'] = {
      postgres: await postgres({ dataDir: join(dir, 'postgres') }),
      redis: await redis({ dataDir: join(dir, 'redis') }),
      ...(fallback && {
        postfix: await postfix({ dataDir: join(dir, 'postfix'), relay: fallback.relay }),
      }),
    };
    const env = {
      ...CLOCKS,
      ...given,
      DATABASE_URL: own.postgres.url,
      REDIS_URL: own.redis.url,
      FILES_DIR: join(dir, 'files'),
      CABINET_DIR: join(dir, 'no-cabinet'),
      NODE_ENV: 'production',
      // One address and a few accounts make all the load.
      RATE_SCALE: '100',
      CHANNEL_ALLOWED_HOSTS: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
    };
    for (const command of ['migrate', 'seed'])
      execFileSync(process.execPath, [join(program, 'cli.js'), command], {
        env: { ...process.env, ...env },
      });
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const journal = join(dir, 'carrier.journal');
    const said =
      (words: string): Ready =>
      (output) =>
        output.includes(words);
    const info = (name: string) => ({
      ...env,
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: '0',
      NODE_OPTIONS: [given.NODE_OPTIONS, PUT_CLOCK].filter(Boolean).join(' '),
      CLOCK_FILE: clockOf(dir, name),
    });
    const api = (name: string) =>
      new Running(name, dir, [join(program, 'main.js')], info(name), said('API listening'));
    const worker = (name: string) =>
      new Running(
        name,
        dir,
        [...workerFlags, join(program, 'worker.js')],
        info(name),
        said('worker started'),
      );
    const apis = await Promise.all(['api', 'api-2'].map((name) => api(name).start(PATIENCE_MS)));
    const bases = apis.map((one) => one.keepPort(/"port":(\d+)/));
    const carrier = await new Running(
      'carrier',
      dir,
      [join(root, 'apps/simulator/src/main.ts')],
      {
        PORT: '0',
        SECRET: secret,
        CALLBACK_URL: `${bases[0]}/api/channels/carrier/statuses`,
        LOG_FILE: journal,
      },
      said('simulated carrier on'),
    ).start(PATIENCE_MS);
    const workers = await Promise.all(WORKERS.map((name) => worker(name).start(PATIENCE_MS)));
    const mobile = fallback && join(dir, 'smsc.journal');
    const smsc =
      fallback &&
      (await new Running(
        'smsc',
        dir,
        [join(root, 'chaos/smsc-process.ts')],
        { PORT: '0', JOURNAL: mobile!, OPTIONS: JSON.stringify(fallback.smsc) },
        said('SMSC on port'),
      ).start(PATIENCE_MS));
    const address: Address = {
      env,
      apis: bases,
      carrier: carrier.keepPort(/simulated carrier on http:\/\/[\d.]+:(\d+)/),
      journal,
      secret,
      ...(smsc && {
        mobile: {
          url: smsc.keepPort(/SMSC on port (\d+)/).replace('http:', 'smpp:'),
          journal: mobile!,
        },
      }),
      ...(own.postfix && { mail: { url: own.postfix.url, queue: own.postfix.queue } }),
    };
    const parts = {
      api: apis[0]!,
      'api-2': apis[1]!,
      worker: workers[0]!,
      'worker-2': workers[1]!,
      carrier,
      ...(smsc && { smsc }),
    };
    return new Cluster(dir, own, address, parts as Record<Part, Running>, fallback?.relay);
  }

  /** False when something is being done to it already: a fault has it to itself until it is up again. */
  async alone(name: string, work: () => Promise<void>): Promise<boolean> {
    if (this.busy.has(name)) return false;
    this.busy.add(name);
    try {
      await work();
    } finally {
      this.busy.delete(name);
    }
    return true;
  }

  async killPart(name: Part, downMs: number): Promise<void> {
    await this.parts[name].kill();
    await sleep(downMs);
    await this.up(name);
  }

  /** SIGTERM, as an operator sends it. */
  async endPart(name: Part, downMs: number): Promise<void> {
    const part = this.parts[name];
    if (!part.alive) return;
    const before = part.output.length;
    const { code, signal, ms } = await part.stop();
    const said = part.output.slice(before);
    if (code !== 0 || said.includes(CUT_OFF))
      this.uncleanExits.push(`${name} ended with ${code ?? signal} after ${ms} ms:\n${said}`);
    await sleep(downMs);
    await this.up(name);
  }

  async suspend(name: Part, ms: number): Promise<void> {
    this.parts[name].signal('SIGSTOP');
    await sleep(ms);
    this.parts[name].signal('SIGCONT');
  }

  /** All workers at once, as an operator ends them. */
  async endWorkers(): Promise<void> {
    await Promise.all(WORKERS.map((name) => this.endPart(name, 0)));
  }

  /** Its queue outlives it. */
  async killPostfix(downMs: number, isOrderly: boolean): Promise<void> {
    const { port, kill, stop } = this.own.postfix!;
    await (isOrderly ? stop() : kill());
    await sleep(downMs);
    const dataDir = join(this.dir, 'postfix');
    this.own.postfix = await insist(() => postfix({ dataDir, relay: this.relay!, port }));
  }

  /** As when somebody sets the clock of its machine, or its synchronization fails, until it is right again. */
  async putClock(name: Part, seconds: number, ms: number): Promise<void> {
    const file = clockOf(this.dir, name);
    writeFileSync(file, String(seconds));
    await sleep(ms);
    rmSync(file);
  }

  /** A disk that does not write for a while: no session goes on, and none ends. */
  async stallPostgres(ms: number): Promise<void> {
    const sessions = childrenOf(this.own.postgres.pid);
    for (const pid of sessions) signal(pid, 'SIGSTOP');
    await sleep(ms);
    for (const pid of sessions) signal(pid, 'SIGCONT');
  }

  /** It answers, and takes nothing more. */
  async fillRedis(ms: number): Promise<void> {
    await this.setRedis('maxmemory', '1');
    await sleep(ms);
    await this.setRedis('maxmemory', '0');
  }

  private setRedis(name: string, value: string): Promise<void> {
    const { hostname, port, password } = new URL(this.address.env.REDIS_URL!);
    const socket = connect(Number(port), hostname);
    return new Promise((resolve, reject) => {
      let answer = '';
      socket.on('data', (bytes) => (answer += bytes)).once('error', reject);
      socket.once('close', () =>
        answer === '+OK\r\n+OK\r\n+OK\r\n' ? resolve() : reject(new Error(answer)),
      );
      socket.write(`AUTH ${password}\r\nCONFIG SET ${name} ${value}\r\nQUIT\r\n`);
    });
  }

  async killRedis(downMs: number, isForgetful: boolean): Promise<void> {
    process.kill(this.own.redis.pid, 'SIGKILL');
    await this.own.redis.exited;
    if (isForgetful) rmSync(join(this.own.redis.home, 'data'), { recursive: true, force: true });
    await sleep(downMs);
    this.own.redis = await insist(() => redis({ dataDir: join(this.dir, 'redis') }));
  }

  /** Its sessions see that it is gone and end; only then may another work on the same data. */
  async killPostgres(downMs: number): Promise<void> {
    const sessions = childrenOf(this.own.postgres.pid);
    process.kill(this.own.postgres.pid, 'SIGKILL');
    await this.own.postgres.exited;
    for (let i = 0; i < 100 && sessions.some(isThere); i++) await sleep(50);
    for (const pid of sessions.filter(isThere)) process.kill(pid, 'SIGKILL');
    await sleep(downMs);
    this.own.postgres = await insist(() => postgres({ dataDir: join(this.dir, 'postgres') }));
  }

  /** Looks for what has ended without a fault, notes it and starts it again. */
  async watch(): Promise<void> {
    for (const name of Object.keys(this.parts) as Part[]) {
      if (this.busy.has(name) || this.parts[name].alive) continue;
      const tail = this.parts[name].output.slice(-1500);
      this.crashed.push(`${name} ended by itself:\n${tail}`);
      await this.alone(name, () => this.up(name));
    }
  }

  async close(): Promise<void> {
    for (const part of Object.values(this.parts)) await part.kill();
    await Promise.all(Object.values(this.own).map((server) => server.stop()));
  }

  closeNow(): void {
    for (const part of Object.values(this.parts)) part.killNow();
    const { postgres: database, redis: queues, postfix: mail } = this.own;
    for (const { pid } of [database, queues]) if (isThere(pid)) process.kill(pid, 'SIGKILL');
    void mail?.kill();
  }

  private async up(name: Part): Promise<void> {
    await insist(() =>
      this.parts[name].start(PATIENCE_MS).catch(async (error: unknown) => {
        await this.parts[name].kill();
        throw error;
      }),
    );
  }
}

/** A process that finds no database ends, and is started again, as the launcher does. */
async function insist<T>(start: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + 3 * PATIENCE_MS; ;) {
    try {
      return await start();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(200);
    }
  }
}

const clockOf = (dir: string, name: string) => join(dir, `${name}.clock`);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The session has ended.
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function childrenOf(parent: number): number[] {
  const isChild = (pid: string) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]) === parent;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isChild(name))
    .map(Number);
}
