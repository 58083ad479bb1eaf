import { jobPerMessage } from './naive.ts';
import { channel, contactList, INSTANT, type Product } from './product.ts';
import { bareSql } from './reference.ts';
import { COUNT, inTurn, median, reached, say, type Bench } from './rows.ts';

export interface Measured {
  perSecond: number;
  /** CPU seconds by role and in all. */
  cpu: Record<string, number>;
}

/** How many messages the way of one job per message gets: enough for a rate. */
const NAIVE = 5000;

/** The built-in carrier, answering at once, on every type that the benches send. */
export const instantCarrier = (product: Product, options: object = {}): Promise<void> =>
  channel(product, 'simulator', 'simulator', ['viber', 'sms'], { ...INSTANT, ...options });

/** POST to the last final status of one bulk, through the whole product, whichever channel takes it. */
export async function bulk(product: Product, count: number, more: object = {}): Promise<Measured> {
  const list = await contactList(product, count);
  const cpu = await product.cpu();
  const started = performance.now();
  await finished(product, await post(product, list, more), count);
  const perSecond = (count / (performance.now() - started)) * 1000;
  return { perSecond, cpu: await product.cpuSince(cpu) };
}

/** Starts a bulk to a contact list; its task's id. */
export async function post(product: Product, list: string, more: object = {}): Promise<string> {
  const { id } = await product.call<{ id: string }>('POST', '/sendings', {
    type: 'viber',
    recipient: { include: [list] },
    payload: { sender: 'MIRTEA', text: 'Hello {firstName|friend}, your order is ready' },
    ...more,
  });
  return id;
}

/** Waits until every recipient of a bulk has its last status. */
export async function finished(product: Product, task: string, count: number): Promise<void> {
  await reached('ended messages', count, async () => {
    const { rows } = await product.db.query<{ state: string; total: number; ended: number }>(
      `select t.state, c.total, c.completed + c.errored as ended from tasks t join task_counters c on c.task_id = t.id where t.id = $1`,
      [task],
    );
    const { state, total, ended } = rows[0]!;
    if (state === 'paused' || state === 'failed') throw new Error(`the task is ${state}`);
    return total === count ? ended : Math.min(ended, count - 1);
  });
}

/** A bulk against the same rows by bare SQL, against a job per message, and its CPU. */
export const bulkBench: Bench = {
  async run(product) {
    await instantCarrier(product);
    await bulk(product, 5000);
    const cpu: number[] = [];
    const speed = await inTurn({
      ours: async () => {
        const measured = await bulk(product, COUNT);
        cpu.push((measured.cpu.all! / COUNT) * 100_000);
        return measured.perSecond;
      },
      bare: () => bareSql(product, COUNT),
      naive: () => jobPerMessage(product, NAIVE),
    });
    const figure = `${say(speed.ours)} recipients/s`;
    return [
      {
        bench: 'bulk',
        figure,
        reference: `${say(speed.bare)}/s bare SQL`,
        score: speed.ours / speed.bare,
        accept: 0.3,
        aim: 0.5,
      },
      {
        bench: 'bulk-naive',
        figure,
        reference: `${say(speed.naive)}/s job per message`,
        score: speed.ours / speed.naive,
        accept: 55,
        aim: 90,
      },
      {
        bench: 'bulk-cpu',
        figure: `${say(median(cpu))} CPU s per 100,000`,
        score: median(cpu),
        accept: 8,
        aim: 4,
        atMost: true,
      },
    ];
  },
};
