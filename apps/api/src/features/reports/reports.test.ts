import { reports, type Report } from '@heliograph/contract';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'csv-parse/sync';
import { until, World, type Person } from '../../../test/world.ts';

let world: World;

beforeAll(async () => {
  world = await World.start();
  await world.startWorker();
});
afterAll(() => world.stop());

const request = async (person: Person, body: object): Promise<string> =>
  (await person.api(reports.create, { body: body as never })).key;

const states = new Set(['completed', 'failed', 'cancelled']);
async function finished(person: Person, id: string): Promise<Report> {
  let report: Report;
  await until(async () => {
    report = await person.api(reports.get, { params: { id } });
    return states.has(report.state);
  }, 'the report');
  return report!;
}

async function contents(person: Person, id: string): Promise<Buffer> {
  const answer = await fetch(`${world.base}/api/storage/${id}`, {
    headers: { authorization: person.token },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function make(person: Person, body: object): Promise<{ report: Report; bytes: Buffer }> {
  const id = await request(person, body);
  const report = await finished(person, id);
  expect(report).toMatchObject({ state: 'completed', hasFile: true });
  return { report, bytes: await contents(person, id) };
}

const table = (bytes: Buffer, encoding = 'win1251', delimiter = ';'): string[][] =>
  parse(iconv.decode(bytes, encoding), { delimiter, record_delimiter: '\r\n', bom: true });

let n = 0;
/** Finished messages of an account. */
async function messages(
  { id }: Person,
  rows: { body?: string; sender?: string; phone?: string; amount?: string }[],
): Promise<void> {
  const [batch] = await world.db.query<{ id: string }>(
    `insert into batches (owner_id, channel, type, priority, stage, size, first_id, last_id, due_at, closed_at)
     values ($1, 'simulator', 1, 1, 3, 1, uuidv7(), uuidv7(), now(), now()) returning id`,
    [id],
  );
  for (const { body = 'Tea', sender = 'TEA', phone, amount = '3.5' } of rows)
    await world.db.query(
      `insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, body, delivered_at)
       values (uuidv7(), $1, $2, 1, 2, 3, 1, $3, $4, $5, $6, now())`,
      [id, batch!.id, amount, sender, phone ?? `+7900${String(1_000_000 + n++)}`, body],
    );
}

test('writes messages in windows-1251 with semicolons, CRLF and a decimal comma', async () => {
  const person = await world.person();
  await messages(person, [{ body: 'Чай «Ассам»; 100 г' }, { body: 'Two\nlines "quoted"' }]);
  const { report, bytes } = await make(person, { preset: 'sendings.details', locale: 'ru' });
  const rows = table(bytes);
  expect(rows[0]).toEqual([
    'Создано (UTC)',
    'Тип',
    'Имя отправителя',
    'Получатель',
    'Текст',
    'Сегменты',
    'Статус',
    'Код ошибки',
    'Сумма',
    'Доставлено (UTC)',
  ]);
  expect(rows).toHaveLength(3);
  expect(rows[1]!.slice(1)).toEqual([
    'sms',
    'TEA',
    expect.stringMatching(/^\+7900\d{7}$/),
    'Чай «Ассам»; 100 г',
    '2',
    'Доставлено',
    '',
    '3,5000',
    expect.stringMatching(/^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d$/),
  ]);
  expect(rows[2]![4]).toBe('Two\nlines "quoted"');
  expect(report).toMatchObject({
    progress: { rows: 2, total: 2 },
    replaced: 0,
    size: bytes.length,
  });
});

test('writes a header without rows', async () => {
  const person = await world.person();
  const { report, bytes } = await make(person, { preset: 'sendings.byDay', locale: 'en' });
  expect(table(bytes)).toEqual([
    ['Day (UTC)', 'Messages', 'Segments', 'Messages delivered', 'Failed', 'In progress', 'Amount'],
  ]);
  expect(report.progress.rows).toBe(0);
});
