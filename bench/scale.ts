import { bulk, instantCarrier, type Measured } from './bulk.ts';
import type { Product } from './product.ts';
import { COUNT, median, RUNS, say, type Bench } from './rows.ts';

/** A tenth, the whole, ten times of it. A small bulk is over at once, so it is sent more often. */
const SIZES = [
  { count: COUNT / 10, runs: 3 * RUNS },
  { count: COUNT, runs: RUNS },
  { count: COUNT * 10, runs: 1 },
];

async function bulks(product: Product, count: number, runs: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (let i = 0; i < runs; i++) measured.push(await bulk(product, count));
  return measured;
}

/** Whether a message of a large bulk costs what one of a small bulk does, and what the worker keeps in memory. */
export const scaleBench: Bench = {
  async run(product) {
    await instantCarrier(product);
    await bulk(product, COUNT / 10);
    const costs: { count: number; microseconds: number; cpu: number; peakMb: number }[] = [];
    for (const { count, runs } of SIZES) {
      const all = await bulks(product, count, runs);
      costs.push({
        count,
        microseconds: 1_000_000 / median(all.map((m) => m.perSecond)),
        cpu: (1_000_000 * median(all.map((m) => m.cpu.all!))) / count,
        peakMb: product.peakMb('worker'),
      });
    }
    const [small, ...larger] = costs as [(typeof costs)[0], ...typeof costs];
    const line = ({ count, microseconds, cpu }: (typeof costs)[0]) =>
      `${say(count)}: ${say(microseconds)} µs, ${say(cpu)} µs CPU`;
    return [
      ...larger.map((cost) => ({
        bench: 'bulk-scale',
        figure: line(cost),
        reference: line(small),
        score: Math.max(cost.microseconds / small.microseconds, cost.cpu / small.cpu),
        accept: 1.3,
        aim: 1.1,
        atMost: true,
      })),
      {
        bench: 'bulk-memory',
        figure: `worker at most ${costs.map((c) => `${say(c.peakMb)} MB at ${say(c.count)}`).join(', ')}`,
        score: costs.at(-1)!.peakMb,
        accept: 300,
        aim: 300,
        atMost: true,
      },
    ];
  },
};
