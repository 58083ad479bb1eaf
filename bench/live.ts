import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bulk, instantCarrier } from './bulk.ts';
import { root, type Product } from './product.ts';
import { COUNT, inTurn, say, type Bench, type Row } from './rows.ts';

const CABINETS = 200;

/** Cores that the API and Redis use during a bulk; Worker and Postgres do the same with and without watchers. */
async function cores(product: Product): Promise<number> {
  const { perSecond, cpu } = await bulk(product, COUNT);
  return (cpu.api! + cpu.redis!) / (COUNT / perSecond);
}

async function watched(product: Product, fetches: boolean): Promise<number> {
  const what = {
    url: new URL(product.base).origin,
    token: product.token,
    count: CABINETS,
    fetches,
  };
  const child = fork(join(root, 'bench/watchers.ts'), [JSON.stringify(what)]);
  try {
    await once(child, 'message');
    await sleep(500);
    const used = await cores(product);
    await checkTold(child, fetches);
    return used;
  } finally {
    child.kill();
  }
}

async function checkTold(child: ChildProcess, fetches: boolean): Promise<void> {
  child.send('how many?');
  const [{ received, fetched }] = (await once(child, 'message')) as [
    { received: number; fetched: number },
  ];
  if (received < CABINETS || (fetches && !fetched))
    throw new Error(
      `${CABINETS} cabinets were told ${received} times and fetched ${fetched} times`,
    );
}

function row(bench: string, used: number, alone: number, bounds: Partial<Row>): Row {
  return {
    bench,
    figure: `${say(used)} cores of API and Redis`,
    reference: `${say(alone)} without watchers`,
    score: used - alone,
    ...bounds,
  };
}

export const liveBench: Bench = {
  async run(product) {
    await instantCarrier(product);
    await bulk(product, COUNT / 10);
    const used = await inTurn({
      alone: () => cores(product),
      watched: () => watched(product, false),
      fetching: () => watched(product, true),
    });
    return [
      row('live', used.watched, used.alone, { accept: 0.1, aim: 0.03, atMost: true }),
      row('live, each fetching its list', used.fetching, used.alone, {}),
    ];
  },
};
