import { setTimeout as sleep } from 'node:timers/promises';
import { bulk, instantCarrier, post } from './bulk.ts';
import { contactList, type Product } from './product.ts';
import { percentile, type Bench } from './rows.ts';

/** Recipients of the bulk beside the singles. */
const BEHIND = Number(process.env.BENCH_PRIORITY ?? 1_000_000);
const SINGLES = 100;

/** How long single messages wait from their POST to their submit while a bulk runs. */
export const priorityBench: Bench = {
  async run(product) {
    await instantCarrier(product);
    await bulk(product, 5000);
    const idle = await singles(product, SINGLES, () => Promise.resolve(true));
    const task = await post(product, await contactList(product, BEHIND));
    await sleep(1000);
    const busy = await singles(product, SINGLES, () => isRunning(product, task));
    if (busy.length < SINGLES / 2) throw new Error('the bulk ended too early to tell anything');
    await product.call('PUT', `/tasks/${task}`, { state: 'stopped' });
    const line = (times: number[]) =>
      `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`;
    return [
      {
        bench: 'priority',
        figure: `${line(busy)} (${busy.length} singles)`,
        reference: `${line(idle)} idle`,
        score: percentile(busy, 0.99),
        accept: 1000,
        aim: 200,
        atMost: true,
      },
    ];
  },
};

async function isRunning(product: Product, task: string): Promise<boolean> {
  const { rows } = await product.db.query(
    `select 1 from tasks t join task_counters c on c.task_id = t.id
      where t.id = $1 and (not t.is_expanded or c.completed + c.errored < c.total)`,
    [task],
  );
  return rows.length > 0;
}

/** Milliseconds from POST to submit, one message after the other, as long as `goesOn`. */
async function singles(
  product: Product,
  n: number,
  goesOn: () => Promise<boolean>,
): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < n && (await goesOn()); i++) {
    const posted = Date.now();
    const { id } = await product.call<{ id: string }>('POST', '/sendings', {
      type: 'viber',
      recipient: '+79161234567',
      payload: { sender: 'MIRTEA', text: `Your code is ${1000 + i}` },
    });
    times.push((await submittedAt(product, id)) - posted);
    await sleep(50);
  }
  return times;
}

async function submittedAt(product: Product, id: string): Promise<number> {
  for (;;) {
    const { rows } = await product.db.query<{ at: Date | null }>(
      `select submitted_at as at from sendings_now where id = $1`,
      [id],
    );
    if (rows[0]?.at) return rows[0].at.getTime();
    await sleep(5);
  }
}
