import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { DataSource, EntitySchema } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { contactList, type Product } from './product.ts';

interface Message {
  id: string;
  owner_id: string;
  batch_id: string;
  type: number;
  segments: number;
  amount: string;
  sender: string;
  phone: string;
  body: string;
  status: number | null;
}
const Message = new EntitySchema<Message>({
  name: 'Message',
  tableName: 'sendings',
  columns: {
    id: { type: 'uuid', primary: true },
    owner_id: { type: 'uuid' },
    batch_id: { type: 'bigint' },
    type: { type: 'smallint' },
    segments: { type: 'smallint' },
    amount: { type: 'numeric' },
    sender: { type: 'text' },
    phone: { type: 'text' },
    body: { type: 'text' },
    status: { type: 'smallint', nullable: true },
  },
});

/**
 * The common way: one BullMQ job per message, which inserts, charges and updates it through TypeORM. It is spared the
 * reading of blacklists, the pricing, the refunds and the counters.
 */
export async function jobPerMessage(product: Product, count: number): Promise<number> {
  const source = await new DataSource({
    type: 'postgres',
    url: product.url,
    entities: [Message],
    poolSize: 50,
    installExtensions: false,
  }).initialize();
  const list = await contactList(product, count);
  const contacts = await source.query<{ phone: string; first_name: string }[]>(
    `select phone, first_name from contacts where list_id = $1`,
    [list],
  );
  const connection = new Redis(process.env.REDIS_URL!, { maxRetriesPerRequest: null });
  const queue = new Queue('bench-naive', { connection: connection as never });
  await queue.obliterate({ force: true });
  let done = 0;
  const worker = new Worker<{ phone: string; first_name: string }>(
    queue.name,
    (job) => send(source, product.OwnerId, job.data).then(() => void done++),
    {
      connection: connection as never,
      concurrency: 50,
    },
  );
  const started = performance.now();
  await queue.addBulk(
    contacts.map((data) => ({ name: 'send', data, opts: { removeOnComplete: true } })),
  );
  while (done < count) await new Promise((resolve) => setTimeout(resolve, 20));
  const seconds = (performance.now() - started) / 1000;
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  connection.disconnect();
  await source.destroy();
  return count / seconds;
}

async function send(
  source: DataSource,
  owner: string,
  contact: { phone: string; first_name: string },
): Promise<void> {
  const id = uuidv7();
  await source.transaction(async (manager) => {
    await manager.insert(Message, {
      id,
      owner_id: owner,
      batch_id: '0',
      type: 4,
      segments: 1,
      amount: '2.1',
      sender: 'MIRTEA',
      phone: contact.phone,
      body: `Hello ${contact.first_name}, your order is ready`,
      status: 0,
    });
    await manager.query(
      `insert into billings (id, owner_id, source, amount) values ($1, $2, 4, -2.1)`,
      [id, owner],
    );
    await manager.query(`update balances set balance = balance - 2.1 where owner_id = $1`, [owner]);
  });
  for (const status of [1, 2, 3]) await source.manager.update(Message, { id }, { status });
}
