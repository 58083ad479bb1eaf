import pg from 'pg';
import { contactList, type Product } from './product.ts';

const CHUNK = 1000;
const CONNECTIONS = 2;

/** Created and submitted rows, and open connections. */
export interface StoredBulk {
  group: string;
  ids: string[];
  clients: pg.Client[];
}

/**
 * The same rows in the same tables by bare set-based SQL: priced, charged, two middle states, a final status in random
 * order, 5 % refunded. As few statements as it takes, on two connections, with no rules, no reading of carriers, no events.
 * Recipients per second.
 */
export async function bareSql(product: Product, count: number): Promise<number> {
  const list = await contactList(product, count);
  const clients = await connections(product);
  const started = performance.now();
  const submitted = await submit(product, list, clients);
  await finishAll(product, submitted, shuffled(submitted.ids));
  const seconds = (performance.now() - started) / 1000;
  await Promise.all(clients.map((c) => c.end()));
  return count / seconds;
}

/** The second half of it alone: final statuses for rows that are there. */
export async function bareStatuses(product: Product, submitted: StoredBulk): Promise<number> {
  const ids = withRepeats(submitted.ids);
  const started = performance.now();
  await finishAll(product, submitted, ids);
  return (ids.length / (performance.now() - started)) * 1000;
}

export function connections(product: Product): Promise<pg.Client[]> {
  return Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client({
        connectionString: product.url,
        options: '-c plan_cache_mode=force_custom_plan -c enable_seqscan=off',
      });
      await client.connect();
      return client;
    }),
  );
}

export async function submit(
  product: Product,
  list: string,
  clients: pg.Client[],
): Promise<StoredBulk> {
  const { rows } = await product.db.query<{ id: string }>(`select uuidv7() as id`);
  const group = rows[0]!.id;
  await product.db.query(
    `insert into tasks (id, owner_id, user_id, title, state, data, audience) values ($1, $2, $2, 'Reference', 'paused', '{}', '[]')`,
    [group, product.OwnerId],
  );
  await product.db.query(`insert into task_counters (task_id) values ($1)`, [group]);
  const { rows: contacts } = await product.db.query<{ id: string }>(
    `select id from contacts where list_id = $1 order by id`,
    [list],
  );
  const written: { batch: string; ids: string[] }[] = [];
  await share(
    chunksOf(contacts),
    clients,
    async (chunk, client) =>
      void written.push(await create(client, product.OwnerId, group, list, chunk)),
  );
  await share(written, clients, ({ batch }, client) =>
    client.query(`update batches set stage = 2, updated_at = now() where id = $1`, [batch]),
  );
  await share(written, clients, ({ batch }, client) =>
    client.query(
      `update batches set stage = 3, submitted_at = now(), updated_at = now() where id = $1`,
      [batch],
    ),
  );
  return { group, ids: written.flatMap((w) => w.ids), clients };
}

function finishAll(product: Product, { group, clients }: StoredBulk, ids: string[]): Promise<void> {
  // Sorted, so that two chunks with the same row in them do not lock each other out.
  return share(chunksOf(ids), clients, (chunk, client) =>
    finish(client, product.OwnerId, group, chunk.toSorted()),
  );
}

/** 2 % of them twice, all in random order. */
export function withRepeats(ids: string[]): string[] {
  return shuffled([...ids, ...shuffled(ids).slice(0, Math.floor(ids.length * 0.02))]);
}

export function chunksOf<T>(all: T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, i) =>
    all.slice(i * CHUNK, (i + 1) * CHUNK),
  );
}

async function create(
  client: pg.Client,
  owner: string,
  group: string,
  list: string,
  chunk: { id: string }[],
): Promise<{ batch: string; ids: string[] }> {
  await client.query('begin');
  const { rows: batches } = await client.query<{ id: string }>(
    `insert into batches (task_id, owner_id, channel, type, priority, size, first_id, last_id, due_at) values ($1, $2, 'reference', 4, 1, $3, uuidv7(), uuidv7(), now()) returning id`,
    [group, owner, chunk.length],
  );
  const { rows } = await client.query<{ id: string }>(
    `with s as (
       insert into sendings (id, owner_id, group_id, batch_id, type, segments, amount, sender, mccmnc, phone, body)
       select uuidv7(), $1, $2, $3, 4, 1, 2.1, 'MIRTEA', '', phone, 'Hello ' || coalesce(first_name, 'friend') || ', your order is ready'
         from contacts where list_id = $4 and id between $5 and $6
       on conflict do nothing returning id, amount
     ), l as (insert into billings (id, owner_id, source, amount, price) select id, $1, 4, -amount, '{2.1}' from s),
     b as (update balances set balance = balance - (select sum(amount) from s) where owner_id = $1),
     c as (update task_counters set total = total + (select count(*) from s) where task_id = $2),
     d as (update batches set last_id = (select id from s order by id desc limit 1) where id = $3)
     select id from s`,
    [owner, group, batches[0]!.id, list, chunk[0]!.id, chunk.at(-1)!.id],
  );
  await client.query('commit');
  return { batch: batches[0]!.id, ids: rows.map((r) => r.id) };
}

async function finish(
  client: pg.Client,
  owner: string,
  group: string,
  ids: string[],
): Promise<void> {
  await client.query('begin');
  const failed = ids.map((_, i) => i % 20 === 0);
  await client.query(
    `with u as (
       update sendings s set status = case when r.failed then 5 else 3 end, outcome = case when r.failed then 2 else 1 end,
              error = case when r.failed then 'absent_subscriber' end, failed_at = case when r.failed then now() end,
              delivered_at = case when not r.failed then now() end
         from unnest($1::uuid[], $2::boolean[]) as r(id, failed) where s.id = r.id and s.status is null returning s.id, r.failed
     ), l as (update billings b set status = 2, refunded_at = now() from u where u.failed and b.id = u.id and b.status = 1 returning b.amount),
     b as (update balances set balance = balance - (select coalesce(sum(amount), 0) from l) where owner_id = $3)
     update task_counters set completed = completed + (select count(*) from u where not failed), errored = errored + (select count(*) from u where failed) where task_id = $4`,
    [ids, failed, owner, group],
  );
  await client.query('commit');
}

/** Each piece of work once, the next free connection takes the next. */
async function share<T>(
  work: T[],
  clients: pg.Client[],
  run: (piece: T, client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const queue = [...work];
  await Promise.all(
    clients.map(async (client) => {
      for (let piece = queue.shift(); piece; piece = queue.shift()) await run(piece, client);
    }),
  );
}

export function shuffled<T>(items: T[]): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}
