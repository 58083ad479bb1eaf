import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bulk, instantCarrier } from './bulk.ts';
import type { Product } from './product.ts';
import { COUNT, reached, say, type Bench, type Row } from './rows.ts';

/** Time after which the sink answers. */
const SINK_MS = 5;
const ENDPOINTS = 20;
/** Events of each of the endpoints. */
const EACH = 2000;

interface Sink {
  server: Server;
  url: string;
  calls: number;
  /** Events by message, in the order in which they arrived. */
  statuses: Map<string, string[]>;
  /** Events by path, and the time of the last one. */
  paths: Map<string, { events: number; at: number }>;
}

type Report = { id: string; status: string };

/** A customer's server that answers after 5 ms; on the path `/dead` never. */
async function startSink(): Promise<Sink> {
  const sink: Sink = {
    server: createServer(),
    url: '',
    calls: 0,
    statuses: new Map(),
    paths: new Map(),
  };
  sink.server.on('request', (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url!;
      if (path === '/dead') return;
      const { data } = JSON.parse(Buffer.concat(parts).toString()) as { data: Report | Report[] };
      const reports = Array.isArray(data) ? data : [data];
      sink.calls++;
      for (const { id, status } of reports) {
        const known = sink.statuses.get(`${path} ${id}`);
        if (known) known.push(status);
        else sink.statuses.set(`${path} ${id}`, [status]);
      }
      const events = (sink.paths.get(path)?.events ?? 0) + reports.length;
      sink.paths.set(path, { events, at: performance.now() });
      setTimeout(() => response.end(), SINK_MS);
    });
  });
  await new Promise<void>((done) => sink.server.listen(0, '127.0.0.1', done));
  sink.url = `http://127.0.0.1:${(sink.server.address() as AddressInfo).port}`;
  return sink;
}

interface Created {
  id: string;
}

function create(product: Product, sink: Sink, path: string, more: object = {}): Promise<Created> {
  return product.call<Created>('POST', '/webhooks', {
    title: path,
    event: 'sendings.status',
    url: sink.url + path,
    statuses: ['sent', 'delivered', 'failed'],
    ...more,
  });
}
const setState = (product: Product, { id }: Created, state: string) =>
  product.call('PUT', `/webhooks/${id}`, { state });

async function waiting(product: Product, ids: string[]): Promise<number> {
  const { rows } = await product.db.query<{ n: number }>(
    `select count(*)::int as n from webhook_events where webhook_id = any($1) and state = 0`,
    [ids],
  );
  return rows[0]!.n;
}

/** Calls of the events of a bulk that has ended, per second. Every event arrives once and in order. */
async function delivered(
  product: Product,
  batchSize: number,
): Promise<{ calls: number; events: number }> {
  const sink = await startSink();
  const webhook = await create(product, sink, '/', { batchSize, maxConnections: 50 });
  await setState(product, webhook, 'paused');
  await sleep(1100);
  await bulk(product, COUNT);
  const events = await waiting(product, [webhook.id]);
  const started = performance.now();
  await setState(product, webhook, 'active');
  await reached('events that arrived', events, () => sink.paths.get('/')?.events ?? 0);
  const seconds = (sink.paths.get('/')!.at - started) / 1000;
  await reached('events stored as delivered', events, async () => {
    return events - (await waiting(product, [webhook.id]));
  });
  for (const [key, statuses] of sink.statuses) {
    const isOnce = new Set(statuses).size === statuses.length;
    if (!isOnce || (statuses.length > 1 && statuses[0] !== 'sent'))
      throw new Error(`${key}: ${statuses.join(', ')}`);
  }
  await product.call('DELETE', `/webhooks/${webhook.id}`);
  await product.db.query(`truncate webhook_events`);
  const { calls } = sink;
  sink.server.closeAllConnections();
  sink.server.close();
  return { calls: calls / seconds, events: events / seconds };
}

/** Seconds until all endpoints but a dead one have their events. */
async function besides(product: Product, hasDead: boolean): Promise<number> {
  const sink = await startSink();
  const paths = Array.from({ length: ENDPOINTS }, (_, i) => `/${i}`);
  const webhooks = await Promise.all(
    paths.map((path, i) => create(product, sink, hasDead && i === 0 ? '/dead' : path)),
  );
  const ids = webhooks.map(({ id }) => id);
  await product.db.query(
    `insert into webhook_events (webhook_id, owner_id, key, data, due_at, at)
     select w.id, w.owner_id, s.id, '{"status": "delivered"}', now() + interval '1 second', now() from webhooks w,
            lateral (select id from sendings where owner_id = w.owner_id order by id desc limit ${EACH}) s where w.id = any($1)`,
    [ids],
  );
  const started = performance.now();
  const living = paths.slice(1);
  await reached('events that arrived', EACH * living.length, () =>
    living.reduce((sum, path) => sum + (sink.paths.get(path)?.events ?? 0), 0),
  );
  const last = Math.max(...living.map((path) => sink.paths.get(path)!.at));
  for (const id of ids) await product.call('DELETE', `/webhooks/${id}`);
  sink.server.closeAllConnections();
  sink.server.close();
  await product.db.query(`truncate webhook_events`);
  return (last - started) / 1000;
}

export const webhooksBench: Bench = {
  product: { env: { WEBHOOK_ALLOWED_HOSTS: '127.0.0.0/8', QUOTA_WEBHOOKS: '100' } },
  async run(product) {
    await instantCarrier(product);
    await bulk(product, 5000);
    return [await singleCalls(product), await batchedCalls(product), await deadEndpoint(product)];
  },
};

async function singleCalls(product: Product): Promise<Row> {
  const { calls } = await delivered(product, 1);
  return told({
    bench: 'webhooks',
    figure: `${say(calls)} calls/s, one event each`,
    score: calls,
    accept: 2000,
    aim: 3000,
  });
}

async function batchedCalls(product: Product): Promise<Row> {
  const { events } = await delivered(product, 100);
  return told({
    bench: 'webhooks-batch',
    figure: `${say(events)} events/s, 100 a call`,
    score: events,
    accept: 8000,
    aim: 20_000,
  });
}

async function deadEndpoint(product: Product): Promise<Row> {
  const without = await besides(product, false);
  const withDead = await besides(product, true);
  return told({
    bench: 'webhooks-dead',
    figure: `${say(withDead)} s for ${ENDPOINTS - 1} endpoints beside a dead one`,
    reference: `${say(without)} s without it`,
    score: withDead / without,
    accept: 1.1,
    aim: 1,
    atMost: true,
  });
}

/** Each figure is shown as soon as it is there. */
function told(row: Row): Row {
  console.log(`  ${row.bench}: ${row.figure}`);
  return row;
}
