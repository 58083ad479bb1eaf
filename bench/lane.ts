import { setTimeout as sleep } from 'node:timers/promises';
import { contactList, INSTANT, type Product } from './product.ts';

/** POST to handover of single messages, in milliseconds: while nothing else is to do, and while a bulk runs. */
export async function lane(
  product: Product,
  count: number,
): Promise<{ idle: number[]; busy: number[]; wasRunning: boolean }> {
  await product.db.query(`update channels set options = $1 where name = 'simulator'`, [INSTANT]);
  const idle = await singles(product, 20);
  const list = await contactList(product, count);
  const { id } = await product.call<{ id: string }>('POST', '/sendings', {
    type: 'viber',
    recipient: { include: [list] },
    payload: { sender: 'MIRTEA', text: 'Hello {firstName|friend}' },
  });
  await sleep(500);
  const busy = await singles(product, 20);
  const isRunning = async () => {
    const { rows } = await product.db.query<{ n: number }>(
      `select (total - completed - errored + case when is_expanded then 0 else 1 end) as n from tasks t join task_counters c on c.task_id = t.id where t.id = $1`,
      [id],
    );
    return rows[0]!.n > 0;
  };
  const wasRunning = await isRunning();
  while (await isRunning()) await sleep(100);
  return { idle, busy, wasRunning };
}

async function singles(product: Product, n: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < n; i++) {
    const posted = Date.now();
    const { id } = await product.call<{ id: string }>('POST', '/sendings', {
      type: 'viber',
      recipient: '+79161234567',
      payload: { sender: 'MIRTEA', text: `Your code is ${1000 + i}` },
    });
    for (;;) {
      const { rows } = await product.db.query<{ at: Date | null }>(
        `select handed_at as at from sendings_now where id = $1`,
        [id],
      );
      if (rows[0]?.at) {
        times.push(rows[0].at.getTime() - posted);
        break;
      }
      await sleep(5);
    }
  }
  return times.sort((a, b) => a - b);
}
