import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { bulkBench } from './bulk.ts';
import { carrierBench } from './carrier.ts';
import { carriersBench } from './carriers.ts';
import { diskBench } from './disk.ts';
import { fallbackBench } from './fallback.ts';
import { priorityBench } from './priority.ts';
import { importBench } from './import.ts';
import { listsBench } from './lists.ts';
import { liveBench } from './live.ts';
import { moneyListsBench } from './money-lists.ts';
import { otpBench } from './otp.ts';
import { paintBench } from './paint.ts';
import { Product } from './product.ts';
import { say, verdict, type Bench, type Row } from './rows.ts';
import { reportBench } from './report.ts';
import { scaleBench } from './scale.ts';
import { singleBench } from './single.ts';
import { smppInBench } from './smpp-in.ts';
import { statusesBench } from './statuses.ts';
import { webhooksBench } from './webhooks.ts';

const BENCHES: Record<string, Bench> = {
  bulk: bulkBench,
  'bulk-scale': scaleBench,
  disk: diskBench,
  fallback: fallbackBench,
  carrier: carrierBench,
  carriers: carriersBench,
  single: singleBench,
  'smpp-in': smppInBench,
  priority: priorityBench,
  statuses: statusesBench,
  webhooks: webhooksBench,
  live: liveBench,
  otp: otpBench,
  lists: listsBench,
  'money-lists': moneyListsBench,
  import: importBench,
  report: reportBench,
  paint: paintBench,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in BENCHES));
if (unknown.length) {
  console.error(`No bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}

const rows: Row[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length && !wanted.includes(name)) continue;
  console.log(`${name} ...`);
  try {
    rows.push(...(await measure(bench)));
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} failed:`, error);
  }
}
print(rows);
keep(rows);

async function measure(bench: Bench): Promise<Row[]> {
  const product = await Product.start(bench.product);
  try {
    return await bench.run(product);
  } finally {
    await product.stop();
  }
}

function print(all: Row[]): void {
  console.table(
    all.map((row) => ({
      bench: row.bench,
      figure: row.figure,
      reference: row.reference ?? '-',
      score: row.score === undefined ? '-' : say(row.score),
      accept: row.accept ?? '-',
      aim: row.aim ?? '-',
      verdict: verdict(row) ?? '-',
    })),
  );
}

function keep(all: Row[]): void {
  const folder = new URL('./results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const machine = {
    cores: cpus().length,
    model: cpus()[0]?.model,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  const result = {
    at: new Date().toISOString(),
    machine,
    rows: all.map((row) => ({ ...row, verdict: verdict(row) })),
  };
  writeFileSync(new URL('latest.json', folder), JSON.stringify(result, null, 2));
}
