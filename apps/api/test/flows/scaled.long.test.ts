import { sendings, tokens } from '@heliograph/contract';
import type { PduOf } from '@heliograph/smpp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, finished } from '../factories.ts';
import { credentialsOf, smppClient, submitOf } from '../peers/smpp-client.ts';
import { Pooler } from '../pooler.ts';
import { Replicated } from '../replicated.ts';
import { DELIVERED, MESSAGE } from '../scene.ts';
import { type Person, until } from '../world.ts';
import { bulk, checkDelivery, PROFILE, printFigures, sender } from './delivery.ts';
import { type Carrier, isReady, Processes, type Running } from './processes.ts';
import { RedisGroup } from './redis-group.ts';

/** What may be lost, in this order: there is one replica, so the primary comes last. */
const PARTS = ['api', 'worker', 'smpp', 'pooler', 'replica', 'redis', 'primary'] as const;
type Part = (typeof PARTS)[number];
const isPart = (name: string): name is Part => (PARTS as readonly string[]).includes(name);
/** `npm run chaos -- --scale` kills all of them. */
const wanted = process.env.SCALED_PARTS ?? 'smpp,redis,primary';
const killed = wanted === 'all' ? PARTS : wanted.split(',');
const size = Number(process.env.SCALED_SIZE ?? 2000);
const PATIENCE_MS = 150_000;

let servers: Replicated;
let pooler: Pooler;
let group: RedisGroup;
let cluster: Processes;
let carrier: Carrier;
let apis: { process: Running; base: string }[];
let workers: Running[];
let smpp: { process: Running; port: number };

beforeAll(async () => {
  servers = await Replicated.start();
  pooler = await Pooler.start(20);
  group = await RedisGroup.start();
  const { replicaUrl } = servers;
  const env = { EXPIRES_SECONDS: '8', LEASE_SECONDS: '5', ...group.env };
  cluster = await Processes.start(env, { poolerUrl: pooler.url, replicaUrl });
  apis = [await cluster.api('api'), await cluster.api('api-2')];
  carrier = await cluster.carrier(apis[1]!.base, PROFILE);
  workers = await Promise.all(
    ['worker', 'worker-2', 'worker-3'].map((name) => cluster.worker(name)),
  );
  const { process, ports } = await cluster.smpp();
  smpp = { process, port: ports[0]! };
  // Where it was when it is started again.
  process.env.SMPP_PORT = String(smpp.port);
}, 600_000);
afterAll(async () => {
  await cluster?.stop();
  await group?.stop();
  await pooler?.stop();
  await servers?.stop();
});

/** Kills a part, and does what is done then: it is started again, or another one takes its place. */
const LOSE: Record<Part, () => Promise<unknown>> = {
  api: () => killAndStart(apis[0]!.process),
  worker: () => killAndStart(workers[0]!),
  smpp: () => killAndStart(smpp.process),
  async pooler() {
    await pooler.kill();
    await until(async () => !(await isReady(apis[0]!.base)), 'an API to miss the database');
    await pooler.startAgain();
  },
  async replica() {
    await servers.killReplica();
    await servers.startReplica();
  },
  async redis() {
    const former = await group.primary();
    group.kill(former);
    const isPromoted = async () => (await group.primary()) !== former;
    await until(isPromoted, 'a replica of Redis to be promoted', PATIENCE_MS);
  },
  async primary() {
    await servers.killPrimary();
    await until(async () => !(await isReady(apis[0]!.base)), 'an API to miss the database');
    await servers.promote();
  },
};

async function killAndStart(part: Running): Promise<void> {
  await part.kill();
  await part.start();
}

/** Ids of messages that were accepted, over HTTP by both APIs in turn and over SMPP, until it is told to stop. */
class Singles {
  readonly byHttp: string[] = [];
  readonly bySmpp: string[] = [];
  private isOver = false;
  private readonly running: Promise<unknown>;

  constructor(owner: Person, token: string) {
    this.running = Promise.all([this.overHttp(owner), this.overSmpp(token)]);
  }

  get counts(): [number, number] {
    return [this.byHttp.length, this.bySmpp.length];
  }

  /** Until more of both kinds are accepted. */
  async more(what: string): Promise<void> {
    const before = this.counts;
    const isMore = async () => this.counts.every((count, n) => count >= before[n]! + 5);
    await until(isMore, what, PATIENCE_MS);
  }

  async end(): Promise<string[]> {
    this.isOver = true;
    await this.running;
    return [...this.byHttp, ...this.bySmpp];
  }

  private async overHttp(owner: Person): Promise<void> {
    for (let n = 0; !this.isOver; n++) {
      const api = cluster.world.client(owner.token, apis[n % apis.length]!.base);
      const body = { ...MESSAGE, recipient: DELIVERED };
      const created = await api(sendings.create, { body }).catch(() => undefined);
      if (created) this.byHttp.push((created as { id: string }).id);
    }
  }

  /** As a program does: it connects again when it was cut off. */
  private async overSmpp(token: string): Promise<void> {
    while (!this.isOver)
      await this.session(token).catch(() => new Promise((resolve) => setTimeout(resolve, 100)));
  }

  private async session(token: string): Promise<void> {
    const client = await smppClient(smpp.port, credentialsOf(token), 'bind_transmitter');
    while (!this.isOver) {
      const answer = (await client.submit(submitOf('Tea'))) as PduOf<'submit_sm_resp'>;
      if (answer.status === 0) this.bySmpp.push(answer.messageId);
    }
    await client.session.unbind();
  }
}

async function checkLoss(part: Part): Promise<void> {
  const started = Date.now();
  const { world } = cluster;
  const owner = await sender(world, size);
  const program = await world.person({ balance: 100_000 });
  await approve(world, program.id);
  const { token } = await program.api(tokens.create, { body: { description: 'SMPP' } });
  if (part === 'primary') await servers.waitForBoth();

  const before = (await carrier.summary()).distinct;
  const { id } = await bulk(world.client(owner.token, apis[1]!.base), owner.list);
  const singles = new Singles(owner, token);
  await singles.more('messages of their own beside the bulk');
  await until(
    async () => (await carrier.summary()).distinct > before + size / 3,
    'a third to be submitted',
  );
  await LOSE[part]();
  await singles.more(`messages to be accepted without the ${part}`);
  for (const base of [world.base, ...apis.map((api) => api.base)])
    await until(() => isReady(base), 'every API to be ready', PATIENCE_MS);
  const accepted = await singles.end();

  await finished(owner, id, PATIENCE_MS);
  const open = `select id from sendings where id = any($1) and outcome is null`;
  const isOver = async () => (await world.db.query(open, [accepted])).length === 0;
  await until(isOver, 'every accepted message to have its end', PATIENCE_MS);
  const kept = await world.db.query(`select 1 from sendings where id = any($1)`, [accepted]);
  expect(kept).toHaveLength(new Set(accepted).size);
  // Money, among all else that `cli verify` looks at.
  const figures = await checkDelivery(world, carrier, { id, list: owner.list, size });
  printFigures(`without the ${part}`, started, { ...figures, accepted: accepted.length });
}

test('what is to be lost is there', () => {
  expect(killed.filter((name) => !isPart(name))).toEqual([]);
});

test.each(PARTS.filter((part) => (killed as readonly string[]).includes(part)))(
  'several processes of each kind lose the %s in the middle of a bulk: every recipient has one end, nothing that was accepted is missing, and the money adds up',
  checkLoss,
  400_000,
);
