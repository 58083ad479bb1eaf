import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Product } from './product.ts';
import { median, RUNS, say, type Bench } from './rows.ts';

const ROWS = Number(process.env.BENCH_REPORT_ROWS ?? 1_000_000);
const BATCH_SIZE = 1000;

interface Report {
  state: string;
  progress: { rows: number };
  size: number;
}

/** A detailed report in windows-1251, from the request to the stored file, beside a bare COPY of the same columns to a file. */
export const reportBench: Bench = {
  product: { workers: 1 },
  async run(product) {
    await fill(product);
    const seconds: number[] = [];
    const bare: number[] = [];
    const before = product.peakMb('worker');
    for (let i = 0; i < RUNS; i++) {
      bare.push(await bareCopy(product));
      seconds.push(await make(product));
    }
    const memory = product.peakMb('worker') - before;
    const share = median(bare) / median(seconds);
    return [
      {
        bench: 'report',
        figure: `${say(median(seconds))} s for ${say(ROWS)} rows`,
        reference: `${say(median(bare))} s for a bare COPY to a file`,
        score: median(seconds),
        accept: 4,
        aim: 3,
        atMost: true,
      },
      {
        bench: 'report-copy',
        figure: `${say(share)} of the rate of a bare COPY`,
        score: share,
        accept: 0.4,
        aim: 0.6,
      },
      {
        bench: 'report-memory',
        figure: `${say(memory)} MB more in the worker than before`,
        score: memory,
        accept: 100,
        aim: 60,
        atMost: true,
      },
    ];
  },
};

async function fill({ db, OwnerId }: Product): Promise<void> {
  await db.query(
    `insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, submitted_at, closed_at)
     select $1, 'simulator', 1, 1, 3, $3, uuidv7(), uuidv7(), now(), now(), now() from generate_series(1, $2)`,
    [OwnerId, ROWS / BATCH_SIZE, BATCH_SIZE],
  );
  await db.query(
    `insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, mccmnc, phone, body, delivered_at)
     select uuidv7((n - $2::bigint) * interval '10 milliseconds'), $1, b.first + (n - 1) / $3, 1, 2, 3, 1, 3.45, 'MIRTEA', '',
            '+7916' || lpad((n * 7919 % 10000000)::text, 7, '0'), 'Здравствуйте, Анна! Ваш заказ ' || n || ' готов к выдаче.', now()
       from generate_series(1, $2::bigint) n, (select max(id) - $2::bigint / $3 + 1 as first from batches) b`,
    [OwnerId, ROWS, BATCH_SIZE],
  );
  await db.query('vacuum analyze sendings');
}

async function make(product: Product): Promise<number> {
  const started = performance.now();
  const { key } = await product.call<{ key: string }>('POST', '/reports', {
    preset: 'sendings.details',
    locale: 'ru',
    timeZone: 'Europe/Moscow',
  });
  for (;;) {
    const report = await product.call<Report>('GET', `/reports/${key}`);
    if (report.state === 'completed') {
      if (report.progress.rows < ROWS)
        throw new Error(`the report has ${report.progress.rows} rows`);
      const seconds = (performance.now() - started) / 1000;
      await product.call('DELETE', `/reports/${key}`);
      return seconds;
    }
    if (report.state === 'failed') throw new Error(JSON.stringify(report));
    await sleep(20);
  }
}

/** The stored columns of the report as they are, in UTF-8. */
async function bareCopy({ url, OwnerId }: Product): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-report-'));
  const client = new pg.Client(url);
  await client.connect();
  try {
    const columns = 'id, type, sender, phone, body, segments, status, error, amount, delivered_at';
    const sql = `copy (select ${columns} from sendings where owner_id = '${OwnerId}' order by id) to stdout`;
    const started = performance.now();
    await pipeline(client.query(copyTo(sql)), createWriteStream(join(folder, 'bare')));
    return (performance.now() - started) / 1000;
  } finally {
    await client.end();
    rmSync(folder, { recursive: true });
  }
}
