import {
  billingOperations,
  billings,
  notifications,
  storage,
  tasks,
  type BillingOperation,
  type OperationInput,
} from '@heliograph/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { Workbook, type Worksheet } from '../../../test/workbook.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { zip } from '../../../test/zip.ts';
import { Db } from '../../core/db/db.ts';
import { verifyLedger } from '../billings/verify.store.ts';
import { BillingOperationsStore } from './billing-operations.store.ts';
import { OperationWorker } from './operation-worker.ts';
import { verifyOperations } from './verify.store.ts';

type Options = Omit<z.input<typeof OperationInput>, 'from'> & {
  name?: string;
};

let world: World;
let worker: OperationWorker;
let manager: Person;
let anna: Person;
let boris: Person;

beforeAll(async () => {
  world = await World.start();
  worker = world.api.get(OperationWorker, { strict: false });
  manager = await world.person({ level: 'manager' });
  anna = await customer('Anna');
  boris = await customer('boris');
});
afterEach(async () => {
  const problems = [...(await verifyLedger(world.db)), ...(await verifyOperations(world.db))];
  if (problems.length) throw new Error(`not consistent: ${JSON.stringify(problems)}`);
});
afterAll(() => world.stop());

const customer = (name?: string, balance = 10) =>
  world.person({ managerId: manager.id, name, balance });
const balanceOf = async (who: Person) =>
  (await who.api(billings.balance, { params: { id: who.id } })).result;

async function upload(bytes: string | Uint8Array, name = 'bonuses.csv', who = manager) {
  const body = new FormData();
  body.set('file', new Blob([bytes as never]), name);
  return (await who.api(storage.create, { body: body as never, query: {} })).key;
}
async function preview(
  bytes: string | Uint8Array,
  { name, ...options }: Options = {},
  who = manager,
): Promise<BillingOperation> {
  const key = await upload(bytes, name, who);
  return who.api(billingOperations.create, { body: { from: { key }, ...options } });
}
const rowsOf = async (id: string, query: object = {}) =>
  (
    await manager.api(billingOperations.rows, {
      params: { id },
      query: { order: [{ field: 'n' as const, direction: 'asc' as const }], limit: 200, ...query },
    })
  ).data;
const outcomes = async (id: string) =>
  (await rowsOf(id)).map(({ n, outcome, reason }) => [n, outcome, reason]);
const run = ({ id, hash }: BillingOperation, who = manager) =>
  who.api(billingOperations.run, { params: { id }, body: { hash, locale: 'en' } });
const taskOf = (id: string) => manager.api(tasks.get, { params: { id } });
async function workbook(fill: (sheet: Worksheet) => void): Promise<Uint8Array> {
  const book = new Workbook();
  fill(book.addWorksheet('Bonuses'));
  return new Uint8Array(await book.xlsx.writeBuffer());
}

describe('the preview', () => {
  test('names what is wrong with each row, sums the others up and changes nothing', async () => {
    const stranger = await world.person();
    const reseller = await world.person({ level: 'reseller' });
    const lines = [
      'Login;Сумма, руб.;Комментарий',
      `${anna.id.toUpperCase()};5,5;Bonus`,
      'ANNA;-10;',
      `${boris.username};+0.0001;=1+1`,
      ';5;',
      'nobody;5;',
      `${stranger.username};5;`,
      `${reseller.username};5;`,
      `${manager.username};5;`,
      'anna;=5;',
      'anna;five;',
      'anna;1,234;',
      'anna;1.23456;',
      'anna;0;',
      'anna;1000000001;',
      `anna;1;${'x'.repeat(501)}`,
      'anna;-5.5001;',
      'anna;-5.5;',
    ];
    const operation = await preview(lines.join('\n'));
    expect(operation).toMatchObject({
      state: 'previewed',
      filename: 'bonuses.csv',
      rows: 17,
      ready: 4,
      repeated: 2,
      previous: null,
      reasons: {
        no_account: 1,
        unknown_account: 3,
        own_account: 1,
        formula: 1,
        amount: 1,
        ambiguous_amount: 1,
        decimals: 1,
        zero: 1,
        too_big: 1,
        long_comment: 1,
        insufficient_funds: 1,
      },
      sums: [{ currency: 'RUB', accounts: 2, entries: 4, credits: 5.5001, debits: 15.5 }],
    });
    const rows = await rowsOf(operation.id);
    expect(rows[0]).toMatchObject({
      n: 2,
      Owner: { id: anna.id, username: 'Anna' },
      currency: 'RUB',
      amount: 5.5,
      comment: 'Bonus',
      isRepeated: false,
      outcome: null,
      reason: null,
    });
    expect(rows[1]).toMatchObject({ amount: -10, comment: null, isRepeated: true });
    expect(rows[2]).toMatchObject({ amount: 0.0001, comment: '=1+1' });
    const wrong = await rowsOf(operation.id, { filter: { hasProblem: true } });
    expect(wrong.map(({ n, reason }) => `${n} ${reason}`)).toEqual([
      '5 no_account',
      '6 unknown_account',
      '7 unknown_account',
      '8 unknown_account',
      '9 own_account',
      '10 formula',
      '11 amount',
      '12 ambiguous_amount',
      '13 decimals',
      '14 zero',
      '15 too_big',
      '16 long_comment',
      '17 insufficient_funds',
    ]);
    // An account outside of the scope is not named.
    expect(wrong[2]).toMatchObject({ account: stranger.username, Owner: null });
    expect(await rowsOf(operation.id, { filter: { hasProblem: false } })).toHaveLength(4);
    expect(await balanceOf(anna)).toBe(10);
    const { total } = await manager.api(tasks.find, { query: {} });
    expect(total).toBe(0);
  });

  test('finds accounts by e-mail and refuses what several accounts match', async () => {
    const twins = [await customer(), await customer()];
    await world.db.query(
      `update users set data = jsonb_set(data, '{email}', '"Twins@Example.com"') where id = any($1)`,
      [twins.map(({ id }) => id)],
    );
    await world.db.query(
      `update users set data = jsonb_set(data, '{email}', '"anna@example.com"') where id = $1`,
      [anna.id],
    );
    const { id } = await preview('email,amount\nANNA@example.com,1\ntwins@example.com,1\n');
    expect(await rowsOf(id)).toMatchObject([
      { Owner: { id: anna.id }, reason: null },
      { Owner: null, reason: 'ambiguous_account' },
    ]);
  });

  test('reads a workbook: numbers of Excel, titles above the header, formulas', async () => {
    const bytes = await workbook((sheet) => {
      sheet.addRow(['Bonuses of November']);
      sheet.addRow(['ID', 'Amount', 'Note']);
      sheet.addRow(['anna', 1.1, 'Note']);
      sheet.addRow(['anna', { formula: 'B3*2', result: 2.2 }, '']);
      sheet.addRow(['anna', 2, { formula: 'A3', result: 'anna' }]);
      sheet.addRow(['anna', new Date('2026-01-02'), '']);
      sheet.addRow([{ formula: 'A3', result: 'anna' }, 3]);
      // What Excel stores of =0.1+0.2 and =1234.56*0.12 when their values are pasted; it shows 0.3 and 148.1472.
      sheet.addRow(['anna', 0.1 + 0.2]);
      sheet.addRow(['anna', 148.14719999999997]);
      sheet.addRow(['anna', 1.00005]);
    });
    const { id, sheet } = await preview(bytes, { name: 'bonuses.xlsx' });
    expect(sheet).toBe('Bonuses');
    expect((await rowsOf(id)).map(({ n, amount, reason }) => [n, amount, reason])).toEqual([
      [3, 1.1, null],
      [4, 2.2, 'formula'],
      [5, 2, 'formula'],
      [6, null, 'amount'],
      [7, 3, 'formula'],
      [8, 0.3, null],
      [9, 148.1472, null],
      [10, null, 'decimals'],
    ]);
  });

  test('takes the columns of the request, with and without a header', async () => {
    const text = 'A;B;C\n7;anna;bonus\n8;boris;\n';
    const key = await upload(text);
    const file = await manager.api(billingOperations.columns, { body: { from: { key } } });
    expect(file).toEqual({
      columns: [
        { name: 'A', field: null },
        { name: 'B', field: null },
        { name: 'C', field: null },
      ],
      hasHeader: true,
      rows: [
        ['7', 'anna', 'bonus'],
        ['8', 'boris', ''],
      ],
      sheets: [],
      sheet: null,
    });
    const columns = { account: 1, amount: 0, comment: 2 };
    expect(await preview(text, { columns })).toMatchObject({ rows: 2, ready: 2 });
    expect(await preview(text, { columns, hasHeader: false })).toMatchObject({ rows: 3, ready: 2 });
    expect(await preview('7;anna\n', { columns: { account: 1, amount: 0 } })).toMatchObject({
      rows: 1,
      ready: 1,
    });
    await expect(preview(text)).rejects.toMatchObject({
      code: 'unreadable_file',
      body: { payload: { found: ['A', 'B', 'C'] } },
    });
    await expect(preview(text, { columns: { account: 1, amount: 1 } })).rejects.toMatchObject({
      code: 'validation',
    });
  });

  test.each([
    ['account', 'Login;E-mail;Amount', ['Login', 'E-mail']],
    ['amount', 'Login;Amount;Сумма, руб.', ['Amount', 'Сумма, руб.']],
    ['comment', 'Note;Login;Amount;Comment', ['Note', 'Comment']],
  ])('takes none of two columns of the %s by itself', async (field, header, names) => {
    const text = `${header}\n${';'.repeat(header.split(';').length - 1)}\n`;
    await expect(preview(text)).rejects.toMatchObject({
      status: 422,
      body: {
        data: [{ field: 'columns', type: 'ambiguous', message: expect.stringContaining(field) }],
      },
    });
    const refused = await preview(text).catch((error: Error) => error.message);
    for (const name of names) expect(refused).toContain(`“${name}”`);
    const key = await upload(text);
    const { columns } = await manager.api(billingOperations.columns, { body: { from: { key } } });
    const recognised = columns.filter((column) => column.field === field);
    expect(recognised.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['cp1251 text', 'Логин\tСумма\nanna\t5\n', 'windows-1251'],
    ['UTF-16 text', 'Логин,Сумма\nanna,5\n', 'utf-16le'],
  ])('reads %s', async (_, text, encoding) => {
    const { default: iconv } = await import('iconv-lite');
    const bytes = iconv.encode(text, encoding, { addBOM: true });
    expect(await preview(new Uint8Array(bytes))).toMatchObject({ rows: 1, ready: 1 });
  });

  test.each<[string, string | Uint8Array, string]>([
    ['a page with a table', '<html><table><tr><td>account</td></tr></table></html>', 'a.xls'],
    ['a broken workbook', 'PK\x03\x04 no workbook', 'a.xlsx'],
    ['an image', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 'a.png'],
    ['only a header', 'account,amount\n', 'a.csv'],
    ['rows with the same number', sameNumbers(), 'a.xlsx'],
  ])('refuses %s', async (_, bytes, name) => {
    await expect(preview(bytes, { name })).rejects.toMatchObject({ code: 'unreadable_file' });
  });

  test('keeps the ten newest previews of an account, and cannot be run without a row to enter', async () => {
    const own = await world.person({ level: 'manager' });
    await world.db.query(
      `insert into billing_operations (id, owner_id, user_id, filename, hash)
       select uuidv7(n * interval '-1 minute'), $1, $1, n::text, 'x' from generate_series(1, 10) n`,
      [own.id],
    );
    const operation = await preview('id,sum\na,1\n', {}, own);
    const kept = await world.db.query<{ filename: string }>(
      `select filename from billing_operations where owner_id = $1 order by id`,
      [own.id],
    );
    expect(kept.map(({ filename }) => filename)).toEqual([
      ...[9, 8, 7, 6, 5, 4, 3, 2, 1].map(String),
      'bonuses.csv',
    ]);
    await expect(run(operation, own)).rejects.toMatchObject({ code: 'conflict' });
  });
});

/** A workbook all of whose rows have the number 2. */
function sameNumbers(): Uint8Array {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const row = (n: number, ...cells: string[]) => `<row r="${n}">${cells.map(cell).join('')}</row>`;
  const rows = row(1, 'account', 'amount') + row(2, 'anna', '1').repeat(3);
  const bytes = (text: string) => new TextEncoder().encode(text);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return zip({
    'xl/workbook.xml': bytes(
      `<workbook xmlns="${main}"><sheets><sheet name="A" sheetId="1"/></sheets></workbook>`,
    ),
    'xl/worksheets/sheet1.xml': bytes(
      `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    ),
  });
}

describe('the run', () => {
  test('enters each row once, reports every row and notifies', async () => {
    const [first, second] = [await customer(), await customer()];
    const operation = await preview(
      `account;amount;comment\n${first.username};5;Bonus\n${second.username};-4;\nnobody;1;\n${first.username};-15;All\n`,
    );
    expect(await run(operation)).toMatchObject({ state: 'running' });
    expect(await taskOf(operation.id)).toMatchObject({
      type: 'billings:operations',
      title: 'bonuses.csv',
      state: 'running',
      data: { operations: { filename: 'bonuses.csv', rows: 3, ReportId: null } },
      meta: { counters: { expected: 3, completed: 0 } },
    });
    await worker.run();
    const [one, two] = [await balanceOf(first), await balanceOf(second)];
    expect([one, two]).toEqual([0, 6]);
    const task = await taskOf(operation.id);
    expect(task).toMatchObject({
      state: 'completed',
      meta: { counters: { expected: 3, completed: 3, errored: 0 } },
    });
    const report = await reportOf(task.data.operations!.ReportId!);
    expect(report).toEqual([
      [
        'Row',
        'Account in the file',
        'Username',
        'Amount',
        'Currency',
        'Comment',
        'Outcome',
        'Reason',
      ],
      [2, first.username, first.username, 5, 'RUB', 'Bonus', 'Entered', null],
      [3, second.username, second.username, -4, 'RUB', null, 'Entered', null],
      [4, 'nobody', null, 1, null, null, 'Refused', 'You have no customer with this account'],
      [5, first.username, first.username, -15, 'RUB', 'All', 'Entered', null],
    ]);
    const told = await manager.api(notifications.find, {
      query: { filter: { type: ['OperationsCompleted'] }, limit: 1 },
    });
    expect(told.data).toMatchObject([
      { data: { id: operation.id, file: 'bonuses.csv', applied: 3, refused: 1 } },
    ]);
    const { data: entries } = await manager.api(billings.find, {
      query: { filter: { OwnerId: first.id }, limit: 2 },
    });
    expect(entries).toMatchObject([
      { source: 'subtract', amount: -15, meta: { TaskId: operation.id } },
      {
        source: 'accrual',
        amount: 5,
        data: { hidden: { comment: 'Bonus' } },
        meta: { origin: { type: 'operation' }, TaskId: operation.id },
      },
    ]);
    const theirs = await first.api(billings.get, { params: { id: entries[1]!.id } });
    expect(theirs.meta).not.toHaveProperty('TaskId');
    expect(theirs.data).not.toHaveProperty('hidden');
    const accruals = await first.api(notifications.find, { query: {} });
    expect(accruals.data).toMatchObject([
      { type: 'BalanceAccrual', data: { amount: 5, balance: 0, currency: 'RUB' } },
    ]);
  });

  test('is one task however often it is started, and says that a file ran before', async () => {
    const who = await customer();
    const text = `account,amount\n${who.username},1\n`;
    const operation = await preview(text);
    const started = await Promise.all(Array.from({ length: 10 }, () => run(operation)));
    expect(new Set(started.map(({ id, startedAt }) => `${id} ${startedAt}`)).size).toBe(1);
    await Promise.all([worker.run(), worker.run(), worker.run()]);
    expect(await run(operation)).toMatchObject({ state: 'finished' });
    await worker.run();
    expect(await balanceOf(who)).toBe(11);
    expect(await preview(text)).toMatchObject({ previous: { id: operation.id } });
  });

  test('is of the previewed file only, and of its account only', async () => {
    const operation = await preview('account,amount\nanna,1\n');
    await expect(run({ ...operation, hash: 'other' })).rejects.toMatchObject({ code: 'conflict' });
    const colleague = await world.person({ level: 'manager' });
    await expect(run(operation, colleague)).rejects.toMatchObject({ status: 404 });
    const reseller = await world.person({ level: 'reseller' });
    await expect(run(operation, reseller)).rejects.toMatchObject({ status: 403 });
    await world.db.query(`update users set settings = $2 where id = $1`, [
      colleague.id,
      { billings: { processChildrenOperations: false } },
    ]);
    await expect(preview('id,sum\na,1\n', {}, colleague)).rejects.toMatchObject({ status: 403 });
  });

  test('refuses at the run what has changed since the preview', async () => {
    const [spent, moved, renamed] = [await customer(), await customer(), await customer()];
    const operation = await preview(
      `account,amount\n${spent.username},-8\n${moved.username},1\n${renamed.username},1\n${spent.username},-2\n`,
    );
    expect(operation.ready).toBe(4);
    await world.db.query(
      `with e as (insert into billings (owner_id, source, amount) values ($1, -2, -5))
       update balances set balance = 5 where owner_id = $1`,
      [spent.id],
    );
    await world.db.query(`update users set manager_id = null where id = $1`, [moved.id]);
    await world.db.query(`update users set settings = $2 where id = $1`, [
      renamed.id,
      { billings: { currency: 'EUR' } },
    ]);
    await run(operation);
    await worker.run();
    expect(await outcomes(operation.id)).toEqual([
      [2, 'refused', 'insufficient_funds'],
      [3, 'refused', 'unknown_account'],
      [4, 'refused', 'currency_changed'],
      [5, 'applied', null],
    ]);
    expect((await taskOf(operation.id)).meta.counters).toMatchObject({ completed: 1, errored: 3 });
  });

  test('refuses what a balance cannot hold and enters the rest', async () => {
    const who = await customer();
    const most = 10 ** 14 - 11;
    await world.db.query(
      `with e as (insert into billings (owner_id, source, amount) values ($1, -1, $2::numeric - 10))
       update balances set balance = $2 where owner_id = $1`,
      [who.id, most],
    );
    const operation = await preview(`account,amount\n${who.username},11\n${who.username},10\n`);
    expect(operation).toMatchObject({ ready: 1, reasons: { too_big: 1 } });
    await run(operation);
    await worker.run();
    expect(await outcomes(operation.id)).toEqual([
      [2, 'refused', 'too_big'],
      [3, 'applied', null],
    ]);
  });

  test('ends as failed when its user may no longer change balances', async () => {
    const own = await world.person({ level: 'manager' });
    const who = await world.person({ managerId: own.id });
    const operation = await preview(`id,sum\n${who.username},1\n`, {}, own);
    await run(operation, own);
    await world.db.query(`update users set is_active = false where id = $1`, [own.id]);
    await worker.run();
    const [task] = await world.db.query(`select state, reason from tasks where id = $1`, [
      operation.id,
    ]);
    expect(task).toEqual({ state: 'failed', reason: 'forbidden' });
    expect(await balanceOf(who)).toBe(1000);
  });
});

describe('a task that is steered', () => {
  const steer = (id: string, state: 'paused' | 'scheduled' | 'stopped') =>
    manager.api(tasks.update, { params: { id }, body: { state } });

  test('waits while it is paused and goes on when it is resumed', async () => {
    const who = await customer();
    const operation = await preview(`id,sum\n${who.username},1\n`);
    await run(operation);
    await steer(operation.id, 'paused');
    await worker.run();
    expect(await balanceOf(who)).toBe(10);
    await steer(operation.id, 'scheduled');
    await worker.run();
    expect(await balanceOf(who)).toBe(11);
    expect(await taskOf(operation.id)).toMatchObject({ state: 'completed' });
  });

  test('enters nothing more when it is stopped, and reports', async () => {
    const who = await customer();
    const operation = await preview(`id,sum\n${who.username},1\n${who.username},2\nnobody,1\n`);
    await run(operation);
    await steer(operation.id, 'stopped');
    await worker.run();
    expect(await balanceOf(who)).toBe(10);
    const task = await taskOf(operation.id);
    expect(task).toMatchObject({
      state: 'stopped',
      meta: { counters: { expected: 2, completed: 0, cancelled: 2 } },
    });
    expect((await reportOf(task.data.operations!.ReportId!)).slice(1).map((row) => row[6])).toEqual(
      ['Cancelled', 'Cancelled', 'Refused'],
    );
  });
});

describe('a worker that dies', () => {
  test('in the middle of a batch leaves whole batches, and another one continues once the lease has ended', async () => {
    const [first, second, third] = [await customer(), await customer(), await customer()];
    const lines = [first, second, third].flatMap(({ username }) =>
      Array.from({ length: 500 }, () => `${username},0.01`),
    );
    const operation = await preview(`account,amount\n${lines.join('\n')}\n`);
    await run(operation);
    const source = world.api.get(Db).dataSource;
    const blocker = source.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query(`select 1 from balances where owner_id = $1 for update`, [second.id]);
    const dying = worker.run();
    // It waits for the balance of the second batch.
    const [waiting] = await until(async () => {
      const found = await world.db.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%balances%'`,
      );
      return found.length > 0 && found;
    }, 'the second batch');
    expect((await taskOf(operation.id)).meta.counters.completed).toBe(500);
    await blocker.query(`select pg_terminate_backend($1)`, [waiting!.pid]);
    await dying;
    await blocker.rollbackTransaction();
    await blocker.release();
    expect(await balanceOf(second)).toBe(10);

    await worker.run();
    // The lease of the dead worker still holds.
    expect(await balanceOf(second)).toBe(10);
    await world.db.query(
      `update billing_operations set lease_until = now() - interval '1 second' where id = $1`,
      [operation.id],
    );
    await Promise.all([worker.run(), worker.run(), worker.run()]);
    expect(await Promise.all([first, second, third].map(balanceOf))).toEqual([15, 15, 15]);
    expect(await taskOf(operation.id)).toMatchObject({
      state: 'completed',
      meta: { counters: { expected: 1500, completed: 1500 } },
    });
  });

  test('and comes back after another one has taken over enters nothing', async () => {
    const who = await customer();
    const operation = await preview(`account,amount\n${who.username},1\n`);
    await run(operation);
    const stale = await world.api.get(BillingOperationsStore, { strict: false }).claim();
    expect(stale).toMatchObject({ id: operation.id });
    await world.db.query(
      `update billing_operations set lease_until = now() - interval '1 second' where id = $1`,
      [operation.id],
    );
    await worker.run();
    await worker.process(stale!);
    expect(await balanceOf(who)).toBe(11);
    const { total } = await manager.api(storage.find, {
      query: { search: 'bonuses - report', limit: 1 },
    });
    const [{ n }] = (await world.db.query<{ n: number }>(
      `select count(*)::int as n from billing_operations where report_id is not null and owner_id = $1`,
      [manager.id],
    )) as [{ n: number }];
    expect(total).toBe(n);
  });
});

test('the check finds an entry without its row', async () => {
  const who = await customer();
  const operation = await preview(`id,sum\n${who.username},1\n`);
  await run(operation);
  await worker.run();
  const set = (outcome: string, reason: string | null) =>
    world.db.query(
      `update billing_operation_rows set outcome = $2, reason = $3 where operation_id = $1`,
      [operation.id, outcome, reason],
    );
  await set('cancelled', 'stopped');
  const found = await verifyOperations(world.db);
  expect(found.map(({ detail }) => detail)).toEqual([
    'row missing, entry 1.0000',
    'task completed, applied 0 of 1, open 0',
  ]);
  await set('applied', null);
});

async function reportOf(id: string): Promise<unknown[][]> {
  const answer = await fetch(`${world.base}/api/storage/${id}`, {
    headers: { authorization: manager.token },
  });
  const book = new Workbook();
  await book.xlsx.load(await answer.arrayBuffer());
  const rows: unknown[][] = [];
  book.worksheets[0]!.eachRow({ includeEmpty: true }, (row) => {
    rows.push(Array.from({ length: 8 }, (_, i) => row.getCell(i + 1).value));
  });
  return rows;
}
