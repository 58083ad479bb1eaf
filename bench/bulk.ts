import { setTimeout as sleep } from 'node:timers/promises';
import { contactList, INSTANT, Product } from './product.ts';

export interface Measured {
  messages: number;
  seconds: number;
  perSecond: number;
  cpuPer100k: number;
}

interface TaskAnswer {
  id: string;
  state: string;
  meta: { counters: { total: number; completed: number; errored: number } };
}

/** POST to the last final status of one bulk, through the whole product. */
export async function bulk(product: Product, count: number, more: object = {}): Promise<Measured> {
  await product.db.query(`update channels set options = $1 where name = 'simulator'`, [INSTANT]);
  const list = await contactList(product, count);
  await sleep(1500);
  const cpu = product.cpu();
  const started = performance.now();
  const { id } = await product.call<TaskAnswer>('POST', '/sendings', {
    type: 'viber',
    recipient: { include: [list] },
    payload: { sender: 'MIRTEA', text: 'Hello {firstName|friend}, your order is ready' },
    ...more,
  });
  for (;;) {
    const { rows } = await product.db.query<{
      state: string;
      total: number;
      completed: number;
      errored: number;
    }>(
      `select t.state, c.total, c.completed, c.errored from tasks t join task_counters c on c.task_id = t.id where t.id = $1`,
      [id],
    );
    const { state, total, completed, errored } = rows[0]!;
    if (total === count && completed + errored === total) break;
    if (state === 'paused' || state === 'failed') throw new Error(`the task is ${state}`);
    await sleep(20);
  }
  const seconds = (performance.now() - started) / 1000;
  return {
    messages: count,
    seconds,
    perSecond: count / seconds,
    cpuPer100k: ((product.cpu() - cpu) / count) * 100_000,
  };
}
