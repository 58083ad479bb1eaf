import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zip } from '../apps/api/test/zip.ts';
import { compiled, type Product } from './product.ts';
import { median, RUNS, say, type Bench } from './rows.ts';

const ROWS = 100_000;
/** Every hundredth row is one that came before, every two hundredth has a phone that is none. */
const CONTACTS = ROWS * 0.99 - ROWS / 200;

interface Report {
  total: number;
  created: number;
  rejected: number;
}

export const importBench: Bench = {
  product: { workers: 0 },
  async run(product) {
    const bytes = workbook();
    const before = product.peakMb('api');
    const seconds: number[] = [];
    const again: number[] = [];
    const alone: number[] = [];
    for (let i = 0; i < RUNS; i++) {
      alone.push(await readAlone(bytes));
      const list = await contactList(product);
      seconds.push(await load(product, bytes, list, true));
      again.push(await load(product, bytes, list, false));
    }
    const peak = product.peakMb('api');
    const memory = peak - before;
    const reference = `${say(median(alone))} s reading alone`;
    const bounds = { accept: 5, aim: 2.5, atMost: true };
    const row = (bench: string, times: number[]) => ({
      bench,
      figure: `${say(median(times))} s for ${say(ROWS)} rows`,
      reference,
      score: median(times),
      ...bounds,
    });
    return [
      row('import', seconds),
      row('import-again', again),
      {
        bench: 'import-memory',
        figure: `${say(memory)} MB more in the API than it took to start`,
        reference: `${say(peak)} MB at most`,
        score: memory,
        accept: 256,
        aim: 200,
        atMost: true,
      },
    ];
  },
};

/** From the call to the report; the file is there already. */
async function load(
  product: Product,
  bytes: Buffer,
  ListId: string,
  isNew: boolean,
): Promise<number> {
  const body = new FormData();
  body.set('file', new Blob([bytes as never]), 'contacts.xlsx');
  const answer = await fetch(`${product.base}/storage`, {
    method: 'POST',
    headers: { authorization: product.token },
    body,
  });
  const { key } = (await answer.json()) as { key: string };
  const started = performance.now();
  const report = await product.call<Report>('PUT', '/contacts', { ListId, from: { key } });
  const seconds = (performance.now() - started) / 1000;
  const isRight =
    report.total === CONTACTS &&
    report.created === (isNew ? CONTACTS : 0) &&
    report.rejected === ROWS / 200;
  if (!isRight) throw new Error(`the import reports ${JSON.stringify(report)}`);
  return seconds;
}

async function contactList(product: Product): Promise<string> {
  const { id } = await product.call<{ id: string }>('POST', '/contactLists', {
    title: 'Import',
    type: 'regular',
  });
  return id;
}

/** The product's own reader in a process of its own: what no way of saving can do without. */
async function readAlone(bytes: Buffer): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-import-'));
  try {
    const file = join(folder, 'contacts.xlsx');
    writeFileSync(file, bytes);
    const code = `
      const { openBook } = await import(${JSON.stringify(`${compiled}/core/sheets/open-book.js`)});
      const started = performance.now();
      let n = 0;
      for await (const _ of (await openBook(${JSON.stringify(file)})).rows(0)) n++;
      if (n !== ${ROWS + 1}) throw new Error(n + ' rows');
      console.log((performance.now() - started) / 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    for await (const part of child.stdout) text += part;
    return Number(text);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As spreadsheets write them: texts shared, phones as numbers, dates as days. */
function workbook(): Buffer {
  const texts = new Map<string, number>();
  const text = (value: string) => {
    if (!texts.has(value)) texts.set(value, texts.size);
    return `<c t="s"><v>${texts.get(value)}</v></c>`;
  };
  const number = (value: number) => `<c><v>${value}</v></c>`;
  const head = ['Телефон', 'Имя', 'Фамилия', 'Почта', 'Дата рождения', 'Поле 1'].map(text).join('');
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const n = i % 100 === 99 ? i - 1 : i;
    const phone = i % 200 === 0 ? 123 : 79_160_000_000 + ((n * 7919) % 10_000_000);
    const cells = [number(phone), text(`Анна${n % 500}`), text(`Иванова${n % 5000}`)];
    cells.push(
      text(`person${n}@mail.example`),
      number(20_000 + (n % 15_000)),
      text(`Город ${n % 90}`),
    );
    return `<row r="${i + 2}">${cells.join('')}</row>`;
  });
  const strings = [...texts.keys()].map((value) => `<si><t>${value}</t></si>`);
  return zip({
    'xl/workbook.xml': Buffer.from('<workbook/>'),
    'xl/sharedStrings.xml': Buffer.from(`<sst>${strings.join('')}</sst>`),
    'xl/worksheets/sheet1.xml': Buffer.from(
      `<worksheet><sheetData><row r="1">${head}</row>${rows.join('')}</sheetData></worksheet>`,
    ),
  });
}
