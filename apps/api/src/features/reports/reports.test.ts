import { Workbook } from '../../../test/workbook.ts';
import {
  ADMINISTRATOR_GRANTS,
  billings,
  MAX_FILE_SIZE,
  REPORT_ENCODINGS,
  reports,
  type Report,
  REPORT_PRESETS,
  tokens,
} from '@heliograph/contract';
import { typeCode } from '@heliograph/domain';
import type { INestApplicationContext } from '@nestjs/common';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'csv-parse/sync';
import { until, World, type Person } from '../../../test/world.ts';
import { Files, storageUnavailable } from '../../core/files/files.ts';
import { ORIGIN_CODES } from '../billings/billings.service.ts';
import { AccountReportsStore } from './account-reports.store.ts';
import { ReportFileService } from './report-file.service.ts';

let world: World;
let worker: INestApplicationContext;

beforeAll(async () => {
  world = await World.start();
  worker = await world.startWorker();
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
  const [file] = await world.db.query(`select permission from files where id = $1`, [id]);
  expect(file).toEqual({ permission: REPORT_PRESETS[report.preset].can });
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
    'Пакет',
    'Длительность звонка, с',
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
    '',
    '',
  ]);
  expect(rows[2]![4]).toBe('Two\nlines "quoted"');
  expect(report).toMatchObject({
    progress: { rows: 2, total: 2 },
    replaced: 0,
    size: bytes.length,
  });
});

test('has the seconds of calls whose length decided their price', async () => {
  const person = await world.person();
  await messages(person, [{ body: 'Known' }, { body: 'Open' }, { body: 'A text' }]);
  await world.db.query(`update sendings set type = $2 where owner_id = $1 and body <> 'A text'`, [
    person.id,
    typeCode('voice'),
  ]);
  await world.db.query(
    `insert into call_charges (sending_id, first, interval, estimated, seconds, units, settled_at)
     select id, 1, 1, 20, case when body = 'Known' then 17 end, case when body = 'Known' then 17 end, case when body = 'Known' then now() end
       from sendings where owner_id = $1 and body <> 'A text'`,
    [person.id],
  );
  const { bytes } = await make(person, { preset: 'sendings.details', locale: 'en' });
  const rows = table(bytes);
  const seconds = new Map(rows.map((row) => [row[4], row.at(-1)]));
  expect(seconds).toEqual(
    new Map([
      ['Text', 'Seconds of the call'],
      ['Known', '17'],
      ['Open', ''],
      ['A text', ''],
    ]),
  );
});

test('what was given back of calls is no credit, and makes charges less', async () => {
  const person = await world.person({ balance: 10 });
  await world.db.query(
    `with charged as (insert into billings (owner_id, source, amount, price, multiplier)
                      select $1, $2, -3, '{1,0.1}', 20 from generate_series(1, 2) returning id)
     insert into billings (owner_id, source, amount, origin, origin_id) (select $1, -1, 1, $3, id from charged limit 1)`,
    [person.id, typeCode('voice'), ORIGIN_CODES.call],
  );
  const rowsOf = async (preset: string) => {
    const { bytes } = await make(person, { preset, locale: 'en' });
    return table(bytes).slice(1);
  };
  const sumsOf = async (preset: string) =>
    new Map((await rowsOf(preset)).map(([key, ...sums]) => [key, sums.map(Number)]));
  // Entries, charged, refunded, credited, debited, total, of packages.
  expect([...(await sumsOf('billings.byMonth')).values()]).toEqual([[4, 5, 1, 10, 0, 5, 0]]);
  expect(await sumsOf('billings.bySource')).toEqual(
    new Map([
      ['voice', [2, 6, 0, 0, 0, -6, 0]],
      ['Credit', [1, 0, 0, 10, 0, 10, 0]],
      ['Rest of a call’s reserve', [1, -1, 1, 0, 0, 1, 0]],
    ]),
  );
  const details = await rowsOf('billings.details');
  expect(details.map((row) => [row[2], Number(row[7])])).toContainEqual([
    'Rest of a call’s reserve',
    1,
  ]);
});

test('writes a header without rows', async () => {
  const person = await world.person();
  const { report, bytes } = await make(person, { preset: 'sendings.byDay', locale: 'en' });
  expect(table(bytes)).toEqual([
    [
      'Day (UTC)',
      'Messages',
      'Segments',
      'Messages delivered',
      'Failed',
      'In progress',
      'Amount',
      'Covered by packages',
    ],
  ]);
  expect(report.progress.rows).toBe(0);
});

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

test('refuses ranges over 186 days, reversed ones, and filters of another source', async () => {
  const person = await world.person();
  const order = (where: object, preset = 'sendings.byDay') =>
    request(person, { preset, where }).catch((error: { body: object }) => error.body);
  expect(await order({ createdAt: { $gt: daysAgo(187) } })).toMatchObject({
    code: 'date_range',
    payload: { days: 186 },
  });
  expect(await order({ createdAt: { $gt: daysAgo(186) } })).toEqual(expect.any(String));
  expect(await order({ createdAt: { $gt: daysAgo(1), $lt: daysAgo(2) } })).toMatchObject({
    error: 422,
  });
  expect(await order({ source: ['accrual'] })).toMatchObject({ error: 422 });
  expect(await order({ status: ['complete'] })).toMatchObject({ error: 422 });
  expect(await order({ status: ['complete'] }, 'billings.byDay')).toEqual(expect.any(String));
});

test('refuses presets above the level, accounts of others and unknown time zones', async () => {
  const person = await world.person();
  const other = await world.person();
  await expect(request(person, { preset: 'sendings.byAccount' })).rejects.toMatchObject({
    status: 403,
  });
  await expect(
    request(person, { preset: 'sendings.byDay', where: { OwnerId: other.id } }),
  ).rejects.toMatchObject({ status: 404 });
  for (const timeZone of ['Mars/Olympus', '+03:00', "UTC'; drop table reports"])
    await expect(request(person, { preset: 'sendings.byDay', timeZone })).rejects.toMatchObject({
      status: 422,
    });
});

test('contains the rows within the access scope of its user, and no others', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const stranger = await world.person();
  await messages(customer, [{}, {}]);
  await messages(stranger, [{}]);
  const all = await make(reseller, { preset: 'sendings.byAccount', locale: 'en' });
  expect(table(all.bytes).slice(1)).toEqual([
    [customer.username, '2', '4', '2', '0', '0', '7.0000', '0'],
  ]);
  const own = await make(stranger, { preset: 'sendings.details' });
  expect(table(own.bytes)).toHaveLength(2);
});

test('has the ledger entries that the search of the list finds, and by comments for managers alone', async () => {
  const person = await world.person();
  await world.db.query(
    `insert into billings (owner_id, source, amount, comment) values ($1, -1, 250, 'Gift'), ($1, -1, 30, 'By bank'), ($1, -2, -250, null)`,
    [person.id],
  );
  const manager = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  const query = { filter: { OwnerId: person.id }, limit: 200 };
  const found = async (who: Person, search: string) => {
    const where = { OwnerId: person.id, search };
    const { bytes } = await make(who, { preset: 'billings.details', where });
    const { total } = await who.api(billings.find, { query: { ...query, search } });
    return [table(bytes).length - 1, total];
  };
  expect(await found(person, '250')).toEqual([2, 2]);
  expect(await found(person, '30,00')).toEqual([1, 1]);
  expect(await found(person, 'gift')).toEqual([0, 0]);
  expect(await found(manager, 'gift')).toEqual([1, 1]);
  for (const search of ['%', "x' or true --"]) expect(await found(manager, search)).toEqual([0, 0]);
  const [entry] = (await person.api(billings.find, { query })).data;
  const { bytes } = await make(person, {
    preset: 'billings.details',
    where: { search: entry!.id },
  });
  expect(table(bytes)).toHaveLength(2);
  const refused = request(person, { preset: 'sendings.byDay', where: { search: 'tea' } });
  await expect(refused).rejects.toMatchObject({ status: 422 });
});

const HOSTILE = [
  '=1+1',
  '+cmd|calc',
  '-2',
  '@SUM(A1)',
  '\t=1',
  '−1',
  '＝1+1',
  '\u200b=1',
  '"; "quoted";,\r\nnext',
  'emoji 😀 🦄 ₽ 漢',
  'end of file \u001a bell \u0007',
  '＂；，＇',
  "back\\slash \\N 'x'",
];

test.each(
  REPORT_ENCODINGS.flatMap((encoding) =>
    [';', ','].map((delimiter) => [encoding, delimiter] as const),
  ),
)(
  'keeps rows and cells apart in %s with %s, and neutralizes formulas',
  async (encoding, delimiter) => {
    const person = await world.person();
    await messages(
      person,
      HOSTILE.map((body) => ({ body, sender: body })),
    );
    const { report, bytes } = await make(person, {
      preset: 'sendings.details',
      encoding,
      delimiter,
      locale: 'ru',
    });
    const rows = table(bytes, encoding, delimiter);
    expect(rows).toHaveLength(HOSTILE.length + 1);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([12]));
    for (const row of rows.slice(1))
      for (const cell of [row[2]!, row[4]!]) expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
    expect(rows[1]![4]).toBe("'=1+1");
    const texts = rows.map((row) => row[4]);
    const isUnicode = encoding === 'utf8';
    expect(bytes.subarray(0, 3).equals(Buffer.from('\ufeff'))).toBe(isUnicode);
    expect(texts).toContain(isUnicode ? 'emoji 😀 🦄 ₽ 漢' : 'emoji :) ? RUB ?');
    expect(report.replaced).toBeGreaterThan(0);
  },
);

test('writes amounts exactly, and times in the time zone of the report', async () => {
  const person = await world.person();
  await messages(person, [{ amount: '9007199254740.9931' }]);
  const options = { preset: 'sendings.details', locale: 'en', timeZone: 'Asia/Tokyo' };
  const { bytes } = await make(person, options);
  const [header, row] = table(bytes) as [string[], string[]];
  expect(header[0]).toBe('Created (Asia/Tokyo)');
  expect(row[8]).toBe('9007199254740.9931');
  const tokyo = Date.parse(`${row[0]!.replace(' ', 'T')}+09:00`);
  expect(Math.abs(Date.now() - tokyo)).toBeLessThan(60_000);
});

test('writes a workbook with numbers, times and texts', async () => {
  const person = await world.person();
  await messages(person, [{ body: '=1+1\nsecond\u0007', amount: '12.5' }, { body: 'Чай' }]);
  const { bytes } = await make(person, {
    preset: 'sendings.details',
    format: 'xlsx',
    locale: 'ru',
  });
  const book = new Workbook();
  await book.xlsx.load(bytes as never);
  const sheet = book.worksheets[0]!;
  expect(sheet.rowCount).toBe(3);
  expect(sheet.getCell('E2').value).toBe('=1+1\nsecond ');
  expect(sheet.getCell('I2').value).toBe(12.5);
  expect(sheet.getCell('A2').value).toBeInstanceOf(Date);
  expect(sheet.getCell('E3').value).toBe('Чай');
});

test('tells messages of test tokens from real ones', async () => {
  const person = await world.person();
  await messages(person, [{ body: 'Real' }, { body: 'Tried' }]);
  const { id } = await person.api(tokens.create, { body: { description: 'T', isTest: true } });
  await world.db.query(`update sendings set token_id = $1 where owner_id = $2 and body = 'Tried'`, [
    id,
    person.id,
  ]);
  const textsOf = async (where: object) => {
    const { bytes } = await make(person, { preset: 'sendings.details', where });
    return table(bytes)
      .slice(1)
      .map((row) => row[4]);
  };
  expect(await textsOf({ live: true })).toEqual(['Real']);
  expect(await textsOf({ live: false })).toEqual(['Tried']);
  expect(await textsOf({})).toHaveLength(2);
});

test('groups ledger entries and messages by every preset', async () => {
  const manager = await world.person({ level: 'manager' });
  await messages(manager, [{}]);
  const { REPORT_PRESET_NAMES } = await import('@heliograph/contract');
  for (const preset of REPORT_PRESET_NAMES) {
    const { report } = await make(manager, { preset, format: 'csv', locale: 'de' });
    expect(report.progress.rows, preset).toBeGreaterThan(0);
  }
});

test('answers the rows of a grouped report to earlier clients', async () => {
  const person = await world.person({ balance: 250 });
  const answer = await fetch(
    `${world.base}/api/reports?createdAt[$gt]=${daysAgo(7)}&$preset=billings.group001`,
    { headers: { authorization: person.token } },
  );
  expect(await answer.json()).toMatchObject({
    data: [{ entries: 1, credited: 250, total: 250, charged: 0 }],
    total: 1,
  });
  const detailed = await fetch(`${world.base}/api/reports?$preset=billings.details`, {
    headers: { authorization: person.token },
  });
  expect(detailed.status).toBe(422);
});

test('a grouped report with more rows than are counted says so', async () => {
  const person = await world.person();
  /** A group for each price, beside that of the balance. */
  const groups = async (first: number, last: number) => {
    await world.db.query(
      `insert into billings (owner_id, source, amount, price) select $1, 1, 0, array[n] from generate_series($2::int, $3::int) n`,
      [person.id, first, last],
    );
    const query = 'reports?$preset=billings.byTariff&$limit=2&$offset=9999';
    const answer = await fetch(`${world.base}/api/${query}`, {
      headers: { authorization: person.token },
    });
    const { data, ...page } = (await answer.json()) as { data: object[] };
    return { ...page, rows: data.length };
  };
  const page = { total: 10_000, limit: 2, offset: 9999, rows: 1 };
  expect(await groups(1, 9999)).toEqual(page);
  expect(await groups(10_000, 10_000)).toEqual({ ...page, totalIsCapped: true });
});

/** A report as if it had been requested before something changed. */
async function insert({ id }: Person, columns: Record<string, unknown> = {}): Promise<string> {
  const values = {
    owner_id: id,
    user_id: id,
    preset: 'sendings.byDay',
    format: 'csv',
    encoding: 'utf8',
    delimiter: ';',
    locale: 'en',
    time_zone: 'UTC',
    where: { createdAt: { $gt: daysAgo(1), $lt: daysAgo(0) } },
    filename: 'report.csv',
    ...columns,
  };
  const names = Object.keys(values).map((name) => `"${name}"`);
  const [row] = await world.db.query<{ id: string }>(
    `insert into reports (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(values),
  );
  return row!.id;
}

test('stops when its user is inactive or has lost the permission', async () => {
  const person = await world.person();
  const lost = await insert(person, { preset: 'sendings.byAccount' });
  expect(await finished(person, lost)).toMatchObject({ state: 'failed', reason: 'forbidden' });
  const removed = await world.person();
  await world.db.query(`update users set is_active = false where id = $1`, [removed.id]);
  const id = await insert(removed);
  await until(async () => {
    const [row] = await world.db.query<{ reason: string }>(
      `select reason from reports where id = $1`,
      [id],
    );
    return row!.reason === 'forbidden';
  }, 'the failure');
});

test('makes the report of a dead worker anew, once, and fences the dead one', async () => {
  const person = await world.person();
  const dead = { state: 'running', attempts: 1, lease: 7, lease_until: daysAgo(1) };
  const id = await insert(person, dead);
  const report = await finished(person, id);
  expect(report).toMatchObject({ state: 'completed', hasFile: true });
  const files = await world.db.query(`select id from files where owner_id = $1`, [person.id]);
  expect(files).toEqual([{ id }]);
  const store = world.api.get(AccountReportsStore, { strict: false });
  const stale = { id, lease: 7, OwnerId: person.id, UserId: person.id };
  expect(await store.renew(stale, { rows: 1, total: 1 })).toBe(false);
  expect(await world.db.transaction(() => store.fence(stale))).toBe(false);
  const last = await insert(person, { ...dead, attempts: 3 });
  expect(await finished(person, last)).toMatchObject({ state: 'failed', reason: 'interrupted' });
});

test('cancels a running report within seconds and ends its statement', async () => {
  const person = await world.person();
  await messages(person, [{}]);
  const blocker = world.db.dataSource.createQueryRunner();
  await blocker.query(`begin`);
  await blocker.query(`lock table sendings in access exclusive mode`);
  try {
    const id = await request(person, { preset: 'sendings.details' });
    const state = async () => (await person.api(reports.get, { params: { id } })).state;
    await until(async () => (await state()) === 'running', 'the start');
    await person.api(reports.cancel, { params: { id } });
    const waiting = () =>
      world.db.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'body'`,
      );
    await until(async () => (await waiting()).length === 0, 'the end of the statement');
    expect(await state()).toBe('cancelled');
    await expect(person.api(reports.cancel, { params: { id } })).rejects.toMatchObject({
      status: 409,
    });
  } finally {
    await blocker.query(`rollback`);
    await blocker.release();
  }
  expect((await make(person, { preset: 'sendings.details' })).report.progress.rows).toBe(1);
});

test('fails clearly when the store is away or the quota is used up', async () => {
  const person = await world.person();
  const adopt = vi
    .spyOn(worker.get(Files, { strict: false }), 'adopt')
    .mockRejectedValue(storageUnavailable('ENOSPC'));
  const away = await finished(person, await request(person, { preset: 'sendings.byDay' }));
  adopt.mockRestore();
  expect(away).toMatchObject({ state: 'failed', reason: 'storage_unavailable', hasFile: false });
  const { QUOTA_STORAGE_MB } = world.config;
  await world.db.query(
    `insert into files (owner_id, title, filename, type, size, hash) values ($1, 'a', 'a', 'text/csv', 2000000, 'a')`,
    [person.id],
  );
  world.config.QUOTA_STORAGE_MB = 1;
  const full = await finished(person, await request(person, { preset: 'sendings.byDay' }));
  world.config.QUOTA_STORAGE_MB = QUOTA_STORAGE_MB;
  expect(full).toMatchObject({ state: 'failed', reason: 'quota_exceeded' });
});

test('waits while the database has no room, is made afterwards, and does not wait for ever', async () => {
  const person = await world.person();
  const store = worker.get(AccountReportsStore, { strict: false });
  const full = vi
    .spyOn(store, 'complete')
    .mockRejectedValue(Object.assign(new Error('could not extend file'), { code: '53100' }));
  const row = async (id: string) => {
    const [found] = await world.db.query<{
      state: string;
      attempts: number;
      postponed: number;
      minutes: number | null;
    }>(
      `select state, attempts, postponed, round(extract(epoch from lease_until - updated_at) / 60)::int as minutes from reports where id = $1`,
      [id],
    );
    return found!;
  };
  const postponed = (id: string, times: number) =>
    until(async () => {
      const found = await row(id);
      return found.state === 'pending' && found.postponed === times && found;
    }, `the report to wait for the ${times}. time`);
  const makeDue = (id: string, before = 0) =>
    world.db.query(
      `update reports set lease_until = now(), postponed = postponed + $2 where id = $1`,
      [id, before],
    );
  const id = await request(person, { preset: 'sendings.details' });
  for (const [times, minutes] of [
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
  ] as const) {
    expect(await postponed(id, times)).toMatchObject({ attempts: 0, minutes });
    await makeDue(id, times === 4 ? 14 : 0);
  }
  expect(await postponed(id, 19)).toMatchObject({ attempts: 0, minutes: 60 });
  full.mockRestore();
  const other = await request(person, { preset: 'sendings.details' });
  // It holds up no other report of the account.
  expect(await finished(person, other)).toMatchObject({ state: 'completed' });
  expect(await row(id)).toMatchObject({ state: 'pending', postponed: 19 });
  await makeDue(id);
  expect(await finished(person, id)).toMatchObject({ state: 'completed', hasFile: true });

  const fullAgain = vi
    .spyOn(store, 'complete')
    .mockRejectedValue(Object.assign(new Error('could not extend file'), { code: '53100' }));
  const last = await request(person, { preset: 'sendings.details' });
  await postponed(last, 1);
  await makeDue(last, 19);
  expect(await finished(person, last)).toMatchObject({ state: 'failed', reason: 'internal' });
  fullAgain.mockRestore();

  // What uses up the room, or the memory, with its own reading ends sooner.
  const files = worker.get(ReportFileService, { strict: false });
  for (const [code, waits] of [
    ['53100', 3],
    ['53200', 0],
  ] as const) {
    const reading = vi
      .spyOn(files, 'write')
      .mockRejectedValue(Object.assign(new Error('no room to read'), { code }));
    const its = await request(person, { preset: 'sendings.details' });
    if (waits) {
      await postponed(its, 1);
      await makeDue(its, waits - 1);
    }
    expect(await finished(person, its)).toMatchObject({ state: 'failed', reason: 'internal' });
    expect(await row(its)).toMatchObject({ attempts: 3, postponed: waits });
    reading.mockRestore();
  }
});

test('fifty reports of one account do not delay that of another', async () => {
  const busy = await world.person();
  const quick = await world.person();
  const ids = await Promise.all(
    Array.from({ length: 50 }, () => request(busy, { preset: 'sendings.byDay' })),
  );
  const id = await request(quick, { preset: 'sendings.byDay' });
  await finished(quick, id);
  const [before] = await world.db.query<{ count: number }>(
    `select count(*)::int as count from reports r join reports own on own.id = $2
      where r.owner_id = $1 and r.started_at between own.created_at and own.started_at`,
    [busy.id, id],
  );
  expect(before!.count).toBeLessThan(40);
  for (const each of ids) expect((await finished(busy, each)).state).toBe('completed');
});

test('removes a report with its file, and refuses more than a hundred unfinished ones', async () => {
  const person = await world.person();
  const { report } = await make(person, { preset: 'billings.byDay' });
  await person.api(reports.remove, { params: { id: report.id } });
  const files = await world.db.query(`select 1 from files where id = $1`, [report.id]);
  expect(files).toEqual([]);
  const crowded = await world.person();
  const future = { state: 'running', lease_until: new Date(Date.now() + DAY_MS).toISOString() };
  for (let i = 0; i < 100; i++) await insert(crowded, future);
  await expect(request(crowded, { preset: 'billings.byDay' })).rejects.toMatchObject({
    status: 409,
  });
});

test('stores a file that is larger than an upload may be', async () => {
  const person = await world.person();
  await messages(person, [{}]);
  await world.db.query(
    `insert into sendings (id, owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, body)
     select uuidv7(), owner_id, batch_id, type, segments, status, outcome, amount, sender, phone, repeat('Tea ', 250)
       from sendings, generate_series(1, 22000) where owner_id = $1`,
    [person.id],
  );
  const { report } = await make(person, { preset: 'sendings.details' });
  expect(report.size).toBeGreaterThan(MAX_FILE_SIZE);
  expect(report.progress.rows).toBe(22_001);
});
