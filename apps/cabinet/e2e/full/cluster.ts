import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Running, type Ready } from '../../../api/test/flows/running.ts';
import { redis, type OwnRedis } from '../../../../scripts/lib/redis.mjs';
import { ownDatabase, program, root, seed, type OwnDatabase } from '../product.ts';
import { Balancer } from './balancer.ts';

const APIS = 3;
const PATIENCE_MS = 90_000;
const said =
  (words: string): Ready =>
  (output) =>
    output.includes(words);

/** Three API processes behind a load balancer, a worker, Redis and a database; each of them can be stopped. */
export class Cluster {
  readonly database: OwnDatabase;
  readonly url: string;
  private readonly dir: string;
  private readonly apis: Running[];
  private readonly worker: Running;
  private readonly balancer: Balancer;
  private redis: OwnRedis;

  private constructor(
    dir: string,
    database: OwnDatabase,
    ownRedis: OwnRedis,
    [apis, worker, balancer]: [Running[], Running, Balancer],
  ) {
    this.dir = dir;
    this.database = database;
    this.redis = ownRedis;
    this.apis = apis;
    this.worker = worker;
    this.balancer = balancer;
    this.url = balancer.url;
  }

  static async open(): Promise<Cluster> {
    const dir = mkdtempSync(join(tmpdir(), 'heliograph-cluster-'));
    const database = await ownDatabase(`heliograph_cluster_${process.pid}`);
    const ownRedis = await redis({ dataDir: join(dir, 'redis'), durable: false });
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: ownRedis.url,
      FILES_DIR: join(dir, 'files'),
      CABINET_DIR: join(root, 'apps/cabinet/dist'),
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: '0',
    };
    await seed({ ...process.env, ...env });
    const start = (name: string, file: string, ready: string) =>
      new Running(name, dir, [program(file)], { ...env }, said(ready)).start(PATIENCE_MS);
    const worker = await start('worker', 'worker.js', 'worker started');
    const apis: Running[] = [];
    for (let i = 0; i < APIS; i++) apis.push(await start(`api-${i}`, 'main.js', 'API listening'));
    const ports = apis.map((api) => Number(new URL(api.keepPort(/"port":(\d+)/)).port));
    return new Cluster(dir, database, ownRedis, [apis, worker, await Balancer.open(ports)]);
  }

  /** Kills one API with SIGKILL and starts it again. */
  async loseApi(index: number, ms: number): Promise<void> {
    await this.apis[index]!.kill();
    await sleep(ms);
    await this.apis[index]!.start(PATIENCE_MS);
  }

  /** Kills Redis and starts it empty. */
  async loseRedis(ms: number): Promise<void> {
    process.kill(this.redis.pid, 'SIGKILL');
    await this.redis.exited;
    rmSync(join(this.redis.home, 'data'), { recursive: true, force: true });
    await sleep(ms);
    this.redis = await redis({ dataDir: join(this.dir, 'redis'), durable: false });
  }

  async stopApis(): Promise<void> {
    await Promise.all(this.apis.map((api) => api.kill('SIGTERM')));
  }

  async startApis(): Promise<void> {
    await Promise.all(this.apis.map((api) => api.start(PATIENCE_MS)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.apis, this.worker].map((one) => one.kill()));
    await this.balancer.close();
    await this.redis.stop();
    await this.database.drop();
    for (const place of [this.dir, this.redis.home])
      rmSync(place, { recursive: true, force: true });
  }
}
