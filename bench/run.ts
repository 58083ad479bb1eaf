import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { bulk } from './bulk.ts';
import { lane } from './lane.ts';
import { jobPerMessage } from './naive.ts';
import { Product } from './product.ts';
import { bareSql } from './reference.ts';

interface Row {
  bench: string;
  figure: string;
  reference: string;
  ratio: string;
}

const COUNT = Number(process.env.BENCH_COUNT ?? 100_000);
const NAIVE = 5000;
const round = (n: number) => Math.round(n).toLocaleString('en');
const percentile = (sorted: number[], p: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))]!;

const BENCHES: Record<string, (product: Product) => Promise<Row[]>> = {
  /** One bulk from POST to every status final, against the same rows by bare SQL and against a job per message. */
  async bulk(product) {
    await bulk(product, 5000);
    const ours = await bulk(product, COUNT);
    const bare = await bareSql(product, COUNT);
    const naive = await jobPerMessage(product, NAIVE);
    return [
      {
        bench: 'bulk',
        figure: `${round(ours.perSecond)}/s`,
        reference: `${round(bare.perSecond)}/s bare SQL`,
        ratio: (ours.perSecond / bare.perSecond).toFixed(2),
      },
      {
        bench: 'bulk-naive',
        figure: `${round(ours.perSecond)}/s`,
        reference: `${round(naive.perSecond)}/s job per message`,
        ratio: `${(ours.perSecond / naive.perSecond).toFixed(0)}x`,
      },
      {
        bench: 'bulk-cpu',
        figure: `${ours.cpuPer100k.toFixed(1)} s per 100,000`,
        reference: '-',
        ratio: '-',
      },
    ];
  },
  /** How long a single message waits for its handover while a bulk runs. */
  async lane(product) {
    const { idle, busy, wasRunning } = await lane(product, COUNT);
    const name = `POST to handover p50 / p99${wasRunning ? '' : ' (the bulk ended meanwhile)'}`;
    const say = (times: number[]) => `${percentile(times, 0.5)} / ${percentile(times, 0.99)} ms`;
    return [
      {
        bench: 'lane',
        figure: `${name}: ${say(busy)}`,
        reference: `${say(idle)} idle`,
        ratio: (percentile(busy, 0.5) / Math.max(1, percentile(idle, 0.5))).toFixed(1),
      },
    ];
  },
};

const wanted = process.argv.slice(2);
const rows: Row[] = [];
for (const [name, run] of Object.entries(BENCHES)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const product = await Product.start({ workers: 1 });
  try {
    rows.push(...(await run(product)));
  } finally {
    await product.stop();
  }
}
console.table(rows);
const folder = new URL('./results/', import.meta.url);
mkdirSync(folder, { recursive: true });
const file = new URL('latest.json', folder);
writeFileSync(
  file,
  JSON.stringify(
    {
      at: new Date().toISOString(),
      cores: cpus().length,
      model: cpus()[0]?.model,
      node: process.version,
      rows,
    },
    null,
    2,
  ),
);
