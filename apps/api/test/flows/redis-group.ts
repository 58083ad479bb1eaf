import { Redis } from 'ioredis';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redis, type OwnRedis } from '../../../../scripts/lib/redis.mjs';
import { until } from '../until.ts';

const NAME = 'heliograph';
/** Only the product signs in as this user: sentinels, replicas and the test have another one. */
const USER = 'product';
const SERVERS = 2;
const SENTINELS = 3;
/** A server that does not answer for so long is replaced. */
const DOWN_MS = 3000;
/** When the votes of the sentinels are split, they vote again after twice this time. */
const FAILOVER_MS = 5000;

const portOf = ({ url }: OwnRedis) => Number(new URL(url).port);
const addressOf = (server: OwnRedis) => `127.0.0.1:${portOf(server)}`;

/** A Redis and its replica, watched by three sentinels of which two must agree. */
export class RedisGroup {
  private readonly folder = mkdtempSync(join(tmpdir(), 'heliograph-group-'));
  private readonly password = crypto.randomUUID();
  private readonly sentinelPassword = crypto.randomUUID();
  private readonly servers: OwnRedis[] = [];
  private readonly sentinels: OwnRedis[] = [];
  private readonly onExit = () => {
    for (const { pid } of [...this.servers, ...this.sentinels]) signal(pid, 'SIGKILL');
  };

  static async start(): Promise<RedisGroup> {
    const group = new RedisGroup();
    chmodSync(group.folder, 0o711); // as root the servers run under an account of their own, which has to pass
    process.once('exit', group.onExit);
    try {
      await group.open();
    } catch (error) {
      await group.stop();
      throw error;
    }
    return group;
  }

  /** Settings of the product. The URL has the address of the first server, which is right until it is replaced. */
  get env(): Record<string, string> {
    return {
      REDIS_URL: this.servers[0]!.url.replace('//:', `//${USER}:`),
      REDIS_SENTINELS: this.sentinels.map(addressOf).join(),
      REDIS_SENTINEL_NAME: NAME,
      REDIS_SENTINEL_PASSWORD: this.sentinelPassword,
    };
  }

  /** The server that the sentinels name. */
  async primary(): Promise<OwnRedis> {
    const port = await ask(this.sentinels.at(-1)!, async (sentinel) => {
      const found = await sentinel.call('SENTINEL', 'get-master-addr-by-name', NAME);
      return Number((found as string[])[1]);
    });
    return this.servers.find((server) => portOf(server) === port)!;
  }

  /** The connections of the product that a server has, each with its channels and its last command. */
  clientsOf(server: OwnRedis): Promise<string[]> {
    return ask(server, async (client) => {
      const list = (await client.client('LIST')) as string;
      return list
        .split('\n')
        .filter((line) => line.includes(` user=${USER} `))
        .map((line) => line.match(/\b(sub|psub|cmd)=\S+/g)!.join(' '));
    });
  }

  kill(server: OwnRedis): void {
    signal(server.pid, 'SIGKILL');
  }

  killSentinel(): void {
    signal(this.sentinels[0]!.pid, 'SIGKILL');
  }

  /** Until the sentinels know each other and a replica that may be promoted. */
  private async whole(): Promise<void> {
    for (const sentinel of this.sentinels)
      await until(
        () =>
          ask(sentinel, async (client) => {
            const [about] = (await client.call('SENTINEL', 'masters')) as string[][];
            const replicas = (await client.call('SENTINEL', 'replicas', NAME)) as string[][];
            const state = fieldsOf(about!);
            return (
              state['flags'] === 'master' &&
              state['num-other-sentinels'] === String(SENTINELS - 1) &&
              replicas.map(fieldsOf).filter(isPromotable).length === SERVERS - 1
            );
          }),
        'the sentinels to know the group',
        60_000,
      );
  }

  async stop(): Promise<void> {
    process.off('exit', this.onExit);
    this.onExit();
    const all = [...this.servers, ...this.sentinels];
    await Promise.all(all.map(({ exited }) => exited));
    for (const { home } of all) rmSync(home, { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async open(): Promise<void> {
    const { folder, password, sentinelPassword } = this;
    const replicaOf = () =>
      this.servers.length ? `replicaof 127.0.0.1 ${portOf(this.servers[0]!)}\n` : '';
    for (let n = 0; n < SERVERS; n++)
      this.servers.push(
        await redis({
          dataDir: join(folder, `server-${n}`),
          durable: false,
          password,
          settings: `user ${USER} on >${password} ~* &* +@all\nmasterauth ${password}\nrepl-diskless-sync-delay 0\n${replicaOf()}`,
        }),
      );
    const settings = [
      `sentinel monitor ${NAME} 127.0.0.1 ${portOf(this.servers[0]!)} 2`,
      `sentinel auth-pass ${NAME} ${password}`,
      `sentinel down-after-milliseconds ${NAME} ${DOWN_MS}`,
      `sentinel failover-timeout ${NAME} ${FAILOVER_MS}`,
      `sentinel sentinel-pass ${sentinelPassword}`,
      '',
    ].join('\n');
    for (let n = 0; n < SENTINELS; n++)
      this.sentinels.push(
        await redis({
          dataDir: join(folder, `sentinel-${n}`),
          password: sentinelPassword,
          sentinel: true,
          settings,
        }),
      );
    await this.whole();
  }
}

/** Of a list of names and values in turn. */
const fieldsOf = (list: string[]): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: list.length / 2 }, (_, n) => [list[2 * n]!, list[2 * n + 1]!]),
  );

const isPromotable = (replica: Record<string, string>): boolean =>
  replica['flags'] === 'slave' && replica['master-link-status'] === 'ok';

async function ask<T>(server: OwnRedis, question: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(server.url);
  try {
    return await question(client);
  } finally {
    client.disconnect();
  }
}

function signal(pid: number, what: NodeJS.Signals): void {
  try {
    process.kill(pid, what);
  } catch {
    // It has exited.
  }
}
