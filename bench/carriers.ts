import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { post } from './bulk.ts';
import { SECRET } from './carrier.ts';
import { channel, contactList, dropChannel, freePort, type Product } from './product.ts';
import { inTurn, reached, say, type Bench } from './rows.ts';

/** Milliseconds until each of the healthy carriers answers. */
const LATENCIES = [20, 50, 100, 150, 200, 300, 400, 500];
const SLOW_MS = 3000;
const CODES_MS = 300;
const BATCH = 10;
/** Messages that wait for each carrier: more than the fastest takes in the time of a measurement. */
const WAITING = 2000;
const SECONDS = 5;
const CODES = 2000;
const PARKING = 'parking';

/** Carriers of different speed in this process; each is a path. */
class Carriers {
  readonly taken = new Map<string, number>();
  private readonly server: Server;

  constructor(latencyOf: (name: string) => number) {
    this.server = createServer((request, response) => {
      const name = request.url!.slice(1);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as {
          messages: { reference: string }[];
        };
        const results = messages.map(({ reference }) => ({ reference, result: 'accepted' }));
        setTimeout(() => {
          this.taken.set(name, (this.taken.get(name) ?? 0) + messages.length);
          response.end(JSON.stringify({ results }));
        }, latencyOf(name));
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const names = [...LATENCIES.keys()].map((i) => `healthy-${i}`);
const latencyOf = (name: string): number => {
  if (name === 'slow') return SLOW_MS;
  if (name === 'codes') return CODES_MS;
  // What is parked is answered after all else.
  return LATENCIES[names.indexOf(name)] ?? 120_000;
};

/** Messages that were accepted for a carrier that answers nothing are given to others, as many to each. */
async function give(product: Product, to: string[]): Promise<void> {
  await dropChannel(product, PARKING);
  await product.db.query(
    `update batches b set channel = ($2::text[])[1 + n % cardinality($2)], due_at = now()
       from (select id, row_number() over (order by id) as n from batches where channel = $1 and stage = 0) w where b.id = w.id`,
    [PARKING, to],
  );
}

const pending = async ({ db }: Product, channels: string[]): Promise<number> => {
  const { rows } = await db.query<{ n: number }>(
    `select coalesce(sum(size), 0)::int as n from batches where channel = any($1) and stage = 0`,
    [channels],
  );
  return rows[0]!.n;
};

/** Messages a second of the healthy carriers while all are busy. */
async function healthy(product: Product, url: string, dead: string, isAlone: boolean) {
  const others = isAlone ? [] : ['slow', 'dead'];
  const all = [...names, ...others];
  const carriers = carriersOf.get(product)!;
  await park(product, url);
  const people = all.length * WAITING;
  await post(product, await contactList(product, people));
  await reached('parked messages', people - BATCH, () => pending(product, [PARKING]));
  for (const name of all)
    await product.db.query(
      `insert into channels (name, driver, types, priority, options) values ($1, 'http', '{viber}', -1, $2) on conflict (name) do update set is_active = true`,
      [
        name,
        {
          url: name === 'dead' ? dead : `${url}/${name}`,
          secret: SECRET,
          maxBatch: BATCH,
          connections: 2,
        },
      ],
    );
  await give(product, all);
  await sleep(1000);
  const count = () => names.reduce((sum, name) => sum + (carriers.taken.get(name) ?? 0), 0);
  const [before, started] = [count(), performance.now()];
  await sleep(SECONDS * 1000);
  const perSecond = ((count() - before) / (performance.now() - started)) * 1000;
  await product.db.query(`update channels set is_active = false where name = any($1)`, [all]);
  await product.db.query(`update tasks set state = 'paused' where state = 'running'`);
  return perSecond;
}

const carriersOf = new WeakMap<Product, Carriers>();

const park = (product: Product, url: string) =>
  channel(product, PARKING, 'http', ['viber'], {
    url: `${url}/${PARKING}`,
    secret: SECRET,
    maxBatch: BATCH,
    connections: 1,
    timeoutMs: 120_000,
  });

/** Messages a second that have batches of their own, as codes have, at a carrier that takes its time. */
async function codes(product: Product, url: string): Promise<number> {
  await park(product, url);
  const body = {
    type: 'viber',
    payload: { sender: 'MIRTEA', text: 'Your code is 1234' },
    fallbacks: [
      {
        type: 'sms',
        payload: { sender: 'MIRTEA', text: 'Your code is 1234' },
        options: { onStatus: ['failed'] },
      },
    ],
  };
  const before = await pending(product, [PARKING]);
  let next = 0;
  const send = async () => {
    while (next < CODES) {
      const recipient = `+7902${String(next++).padStart(7, '0')}`;
      await product.call('POST', '/sendings', { ...body, recipient });
    }
  };
  await Promise.all(Array.from({ length: 20 }, send));
  const waiting = (await pending(product, [PARKING])) - before;
  await product.db.query(
    `insert into channels (name, driver, types, priority, options) values ('codes', 'http', '{viber}', -1, $1) on conflict (name) do nothing`,
    [{ url: `${url}/codes`, secret: SECRET }],
  );
  const carriers = carriersOf.get(product)!;
  const former = carriers.taken.get('codes') ?? 0;
  await give(product, ['codes']);
  const started = performance.now();
  await reached('codes', former + waiting, () => carriers.taken.get('codes') ?? 0);
  return (waiting / (performance.now() - started)) * 1000;
}

/** A dead and a slow carrier beside healthy ones, and messages with batches of their own at a carrier that takes its time. */
export const carriersBench: Bench = {
  // What is parked is not submitted again meanwhile.
  product: { env: { LEASE_SECONDS: '300' } },
  async run(product) {
    const carriers = new Carriers(latencyOf);
    carriersOf.set(product, carriers);
    const url = await carriers.start();
    const dead = `http://127.0.0.1:${await freePort()}/`;
    try {
      const perSecond = await codes(product, url);
      const speed = await inTurn({
        ours: () => healthy(product, url, dead, false),
        alone: () => healthy(product, url, dead, true),
      });
      return [
        {
          bench: 'carriers',
          figure: `${say(speed.ours)} messages/s of the healthy ones`,
          reference: `${say(speed.alone)}/s without the others`,
          score: speed.ours / speed.alone,
          accept: 0.95,
          aim: 0.98,
        },
        {
          bench: 'carriers-codes',
          figure: `${say(perSecond)} messages/s at ${CODES_MS} ms`,
          score: perSecond,
          accept: 200,
          aim: 400,
        },
      ];
    } finally {
      carriers.stop();
    }
  },
};
