import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { instantCarrier, post } from './bulk.ts';
import { SECRET } from './carrier.ts';
import { channel, contactList, dropChannel, type Product } from './product.ts';
import { bareStatuses, chunksOf, connections, submit, withRepeats } from './reference.ts';
import { COUNT, inTurn, say, type Bench } from './rows.ts';

const NAME = 'quiet';
/** Posts of reports under way at a time. */
const AT_A_TIME = 4;

interface Post {
  body: string;
  headers: Record<string, string>;
}

/** A carrier that takes everything and reports nothing by itself. */
function quietCarrier(): Promise<Server> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(parts).toString()) as {
        messages: { reference: string }[];
      };
      const results = messages.map(({ reference }) => ({ reference, result: 'accepted' }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** The references of a bulk whose messages are all submitted. */
async function handedOver(product: Product, count: number): Promise<string[]> {
  const task = await post(product, await contactList(product, count));
  for (;;) {
    const { rows } = await product.db.query<{ n: number }>(
      `select coalesce(sum(size), 0)::int as n from batches where task_id = $1 and stage = 3`,
      [task],
    );
    if (rows[0]!.n === count) break;
    await sleep(50);
  }
  const { rows } = await product.db.query<{ id: string }>(
    `select id from sendings where group_id = $1`,
    [task],
  );
  return rows.map((r) => r.id);
}

/** Signed beforehand: what the carrier does for itself is not measured. */
function sign(references: string[]): Post {
  const at = new Date();
  return signed(
    references.map((reference, i) =>
      i % 20 === 0
        ? { reference, status: 'failed', code: 'absent_subscriber', at }
        : { reference, status: 'delivered', at },
    ),
  );
}

/** The call of a carrier with the secret of the benches. */
export function signed(statuses: object[]): Post {
  const body = JSON.stringify({ statuses });
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  };
}

async function report(product: Product, count = COUNT): Promise<number> {
  const references = await handedOver(product, count);
  const reports = withRepeats(references);
  const posts = chunksOf(reports).map(sign);
  let applied = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (let next = posts.shift(); next; next = posts.shift()) {
        const url = `${product.base}/channels/${NAME}/statuses`;
        const answer = await fetch(url, { method: 'POST', ...next });
        const { results } = (await answer.json()) as { results: { result: string }[] };
        applied += results.filter((r) => r.result === 'applied').length;
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  // A repeat within one post is answered as applied, too.
  if (applied < references.length) throw new Error(`${applied} of ${references.length} applied`);
  return reports.length / seconds;
}

export const statusesBench: Bench = {
  async run(product) {
    const carrier = await quietCarrier();
    const clients = await connections(product);
    try {
      await instantCarrier(product);
      const { port } = carrier.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/messages`;
      await channel(product, NAME, 'http', ['viber'], { url, secret: SECRET, maxBatch: 1000 });
      await report(product, 10_000);
      const speed = await inTurn({
        ours: () => report(product),
        bare: async () =>
          bareStatuses(product, await submit(product, await contactList(product, COUNT), clients)),
      });
      await dropChannel(product, NAME);
      await product.verify();
      return [
        {
          bench: 'statuses',
          figure: `${say(speed.ours)} reports/s`,
          reference: `${say(speed.bare)}/s bare SQL`,
          score: speed.ours / speed.bare,
          accept: 0.3,
          aim: 0.5,
        },
      ];
    } finally {
      await Promise.all(clients.map((c) => c.end()));
      carrier.closeAllConnections();
      carrier.close();
    }
  },
};
