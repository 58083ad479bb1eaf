import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR_GRANTS, TEST_CHANNEL } from '@heliograph/contract';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIG_TABLES } from '../../../migrations/concurrently.ts';
import { Cancelled1763700000023 } from '../../../migrations/1763700000023-cancelled.ts';
import { TextsByAge1763700000034 } from '../../../migrations/1763700000034-texts-by-age.ts';
import { PlainNames1763700000043 } from '../../../migrations/1763700000043-plain-names.ts';
import { FoldedApostrophes1763700000387 } from '../../../migrations/1763700000387-folded-apostrophes.ts';
import { createDataSource } from '../src/core/db/data-source.ts';
import { MIGRATIONS } from '../src/core/db/migrations.ts';
import { migrate, migrateDown } from '../src/core/db/migrate.ts';
import { withDatabase } from './global-setup.ts';

const name = `heliograph_migrations_${process.pid}`;
const url = withDatabase(process.env.DATABASE_URL!, name);
const numberOf = (migration: Function) => Number(migration.name.slice(-3));
let admin: DataSource;
let source: DataSource;

beforeAll(async () => {
  admin = await createDataSource(process.env.DATABASE_URL!, [], 1).initialize();
  await admin.query(`create database ${name}`);
  source = await createDataSource(url, []).initialize();
});
afterAll(async () => {
  await source.destroy();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.destroy();
});

const rows = <T = Record<string, unknown>>(sql: string, parameters: unknown[] = []) =>
  source.query(sql, parameters) as Promise<T[]>;

/** The schema as of a migration. */
async function upTo(number: number): Promise<void> {
  const until = createDataSource(url, []).setOptions({
    migrations: MIGRATIONS.filter((migration) => numberOf(migration) <= number),
  });
  await until.initialize();
  await until.runMigrations();
  await until.destroy();
}

test('numbers of migrations are unique and increase with their files', () => {
  const numbers = MIGRATIONS.map(numberOf);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
});

test('an index on a big existing table is created concurrently', async () => {
  const wrong: string[] = [];
  // Earlier migrations have created their tables or are applied.
  for (const migration of MIGRATIONS.filter((m) => numberOf(m) > 32)) {
    const said: string[] = [];
    const runner = { query: async (sql: string) => (said.push(sql), []) };
    const one = new (migration as new () => MigrationInterface)();
    await one.up(runner as unknown as QueryRunner);
    const sql = said.join(';\n');
    for (const [text, concurrently, table] of sql.matchAll(
      /create\s+(?:unique\s+)?index\s+(concurrently\s+)?(?:if\s+not\s+exists\s+)?\S+\s+on\s+(\w+)/gi,
    )) {
      const isNew = new RegExp(`create\\s+table\\s+${table}\\b`, 'i').test(sql);
      if (BIG_TABLES.includes(table!) && !isNew && !concurrently)
        wrong.push(`${migration.name}: ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

const OWNER = randomUUID();
const LIST = randomUUID();
const TASK = randomUUID();
const SENDING = '01920000-0000-7000-8000-000000000001';

/** Rows as version 14 wrote them, one of most tables. */
async function fill(): Promise<void> {
  await rows(
    `insert into users (id, username, password_hash, owner_id, level, data, grants)
     values ($1, 'keeper', 'x', $1, 'manager', '{"phone":"+79020000000","email":"keeper@tea.example"}', '{"add":["users.all"]}')`,
    [OWNER],
  );
  await rows(
    `with session as (insert into sessions (user_id, ip, useragent, expires_at) values ($1, '::1', 'x', now())),
          visit as (insert into visits (user_id, owner_id, ip, action, useragent) values ($1, $1, '::1', 'login', 'x')),
          told as (insert into notifications (user_id, owner_id, type) values ($1, $1, 'SendingsBulkCompleted')),
          balance as (insert into balances (owner_id, balance) values ($1, 97)),
          entry as (insert into billings (id, owner_id, source, amount, comment) values (uuidv7(), $1, -1, 100, 'Starting credit')),
          charge as (insert into billings (id, owner_id, source, amount) values ($2, $1, 1, -3)),
          key as (insert into idempotency_keys (owner_id, route, key, body_hash) values ($1, 'POST /sendings', 'k', 'h')),
          list as (insert into contact_lists (id, owner_id, title, count) values ($3, $1, 'People', 1) returning id)
     insert into contacts (list_id, phone, email, first_name) select id, '+79020000001', 'anna@tea.example', 'Anna' from list`,
    [OWNER, SENDING, LIST],
  );
  await rows(
    `insert into tasks (id, owner_id, user_id, title, state, data, audience, finished_at)
     values ($1, $2, $2, 'Sale', 'completed', '{"sending":{"type":"viber","payload":{"text":"Hello"},"fallbacks":[]}}', '[]', now())`,
    [TASK, OWNER],
  );
  await rows(`insert into task_counters (task_id, total, completed) values ($1, 1, 1)`, [TASK]);
  await rows(`insert into task_phones values ($1, false, 1, '+79020000001')`, [TASK]);
  await rows(
    `insert into channels (name, driver, types, options) values ('carrier', 'simulator', '{viber}', '{"profile":"healthy"}')`,
  );
  await rows(
    `with batch as (
       insert into batches (task_id, owner_id, channel, type, lane, stage, n, first_id, last_id, due_at, closed_at)
       values ($1, $2, 'carrier', 1, 1, 3, 1, $3, $3, now(), now()) returning id)
     insert into sendings (id, owner_id, group_id, batch_id, type, segments, status, outcome, amount, sender, phone, body, vars)
     select $3, $2, $1, id, 1, 1, 3, 1, 3, 'MIRTEA', '+79020000001', 'Hello Anna', '{"firstName":"Anna"}' from batch`,
    [TASK, OWNER, SENDING],
  );
  for (const status of ['delivered', 'delivered', 'seen'])
    await rows(
      `insert into parked_reports (channel, reference, is_external, status, at) values ('carrier', 'r', true, $1, now())`,
      [status],
    );
  await rows(
    `insert into sendings_incoming (owner_id, type, "from", "to", payload) values ($1, 1, '+79020000001', 'MIRTEA', '{"text":"Thanks"}')`,
    [OWNER],
  );
}

const FILLED =
  `users sessions visits notifications balances billings idempotency_keys contact_lists contacts tasks task_counters
  task_phones channels batches sendings sendings_incoming`.split(/\s+/);
type Data = Record<string, Record<string, unknown>[]>;
async function everything(): Promise<Data> {
  const data: Data = {};
  for (const table of FILLED) {
    const found = await rows<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${table} t order by t::text`,
    );
    // A migration adds that one.
    data[table] = found.flatMap(({ row }) => (row.name === TEST_CHANNEL ? [] : [row]));
  }
  return data;
}

/** Administrators get new ones. */
const CHANGED = ['grants'];

/** All rows with their former columns; later columns may have any value. */
async function expectRows(before: Data): Promise<void> {
  const now = await everything();
  for (const table of FILLED) {
    const kept = (row: object) =>
      Object.entries(row)
        .filter(([column]) => !CHANGED.includes(column))
        .map(([column, value]) => [
          PlainNames1763700000043.columns[table]?.[column] ?? column,
          value,
        ]);
    const those = before[table]!.map((row) =>
      expect.objectContaining(Object.fromEntries(kept(row))),
    );
    expect({ [table]: now[table] }).toEqual({ [table]: those });
  }
}

test('a database of version 14 is migrated up, down and up again with its rows', async () => {
  await upTo(14);
  await fill();
  const before = await everything();
  expect(FILLED.filter((table) => !before[table]!.length)).toEqual([]);

  const done = await migrate(source);
  expect(done).toHaveLength(MIGRATIONS.filter((m) => numberOf(m) > 14).length);
  await expectRows(before);
  expect(await rows(`select status from unmatched_reports order by status`)).toEqual([
    { status: 'delivered' },
    { status: 'seen' },
  ]);
  expect(await migrate(source)).toEqual([]);
  const [keeper] = await rows<{ grants: { add: string[] } }>(
    `select grants from users where id = $1`,
    [OWNER],
  );
  expect(ADMINISTRATOR_GRANTS.filter((grant) => !keeper!.grants.add.includes(grant))).toEqual([]);

  expect(await migrateDown(source, 1)).toEqual([done.at(-1)]);
  expect(await migrateDown(source, done.length - 1)).toEqual(done.toReversed().slice(1));
  expect(await everything()).toEqual(before);
  expect(await migrate(source)).toEqual(done);
  await expectRows(before);
});

test('messages dropped by a stop are cancelled, of a chain by its last attempt', async () => {
  await migrate(source);
  const task = randomUUID();
  const [dropped, saved, lost] = [randomUUID(), randomUUID(), randomUUID()];
  await rows(
    `insert into tasks (id, owner_id, user_id, title, state, data, audience) values ($1, $2, $2, 'Old', 'stopped', '{}', '[]')`,
    [task, OWNER],
  );
  await rows(`insert into task_counters (task_id, total, errored) values ($1, 3, 3)`, [task]);
  const insert = (id: string, chain: string | null, outcome: number | null, error: string) =>
    rows(
      `insert into sendings (id, owner_id, group_id, chain_id, attempt, batch_id, type, segments, status, outcome, amount, sender, phone, error, failed_at)
       values ($1::uuid, $2, $3, $4::uuid, case when $4::uuid is null then 0 else 1 end, 1, 1, 1, 5, $5, 3, 'TEA', $1::uuid::text, $6, now())`,
      [id, OWNER, task, chain, outcome, error],
    );
  await insert(dropped, null, 2, 'stopped');
  await insert(saved, null, 2, 'absent_subscriber');
  await insert(randomUUID(), saved, null, 'stopped');
  await insert(lost, null, 2, 'expired');
  const counted = () =>
    rows(`select errored, cancelled from task_counters where task_id = $1`, [task]);
  await rows(`delete from migrations where name = $1`, [Cancelled1763700000023.name]);
  await migrate(source);
  expect(await counted()).toEqual([{ errored: 1, cancelled: 2 }]);
  expect(
    await rows(`select outcome from sendings where group_id = $1 and chain_id is null order by 1`, [
      task,
    ]),
  ).toEqual([{ outcome: 2 }, { outcome: 3 }, { outcome: 3 }]);
  const runner = source.createQueryRunner();
  await new Cancelled1763700000023().down(runner);
  await runner.release();
  expect(await counted()).toEqual([{ errored: 3, cancelled: 0 }]);
});

test('an interrupted index is created again, and concurrent migrations wait for each other', async () => {
  await migrate(source);
  await rows(`update pg_index set indisvalid = false where indexrelid = 'batches_texts'::regclass`);
  await rows(`delete from migrations where name = $1`, [TextsByAge1763700000034.name]);
  const [first, second] = await Promise.all([migrate(source), migrate(source)]);
  expect([...first, ...second]).toEqual([TextsByAge1763700000034.name]);
  expect(
    await rows(
      `select indisvalid as valid from pg_index where indexrelid = 'batches_texts'::regclass`,
    ),
  ).toEqual([{ valid: true }]);
});

test('an apostrophe of a row of before is found through its index, also after an interruption', async () => {
  await migrate(source);
  const runner = source.createQueryRunner();
  const migration = new FoldedApostrophes1763700000387();
  await migration.down(runner);
  await rows(
    `insert into sendings_incoming (owner_id, type, "from", "to", payload) values ($1, 1, '+79020000002', 'TEA', '{"text":"Лук\\u02bcяненко"}')`,
    [OWNER],
  );
  await rows(`create index incoming_search_ccnew on sendings_incoming (folded("from"))`);
  await rows(
    `update pg_index set indisvalid = false where indexrelid = 'incoming_search_ccnew'::regclass`,
  );
  await migration.up(runner);
  await runner.query('begin');
  await runner.query('set local enable_seqscan = off');
  const found = `select "from" from sendings_incoming
    where folded("from" || E'\\n' || coalesce(payload->>'text', '')) like '%лук''яненко%'`;
  const plan = JSON.stringify(await runner.query(`explain ${found}`));
  expect(await runner.query(found)).toEqual([{ from: '+79020000002' }]);
  await runner.query('rollback');
  await runner.release();
  expect(plan).toContain('sendings_incoming_search');
  expect(await rows(`select to_regclass('incoming_search_ccnew') as index`)).toEqual([
    { index: null },
  ]);
});

test('an option of a channel is renamed there and back, without a new revision', async () => {
  await migrate(source);
  await rows(
    `insert into channels (name, driver, types, options) values ('renamed', 'http', '{sms}', '{"url":"https://carrier.example","deduplicates":true}')`,
  );
  const [{ revision }] = (await rows(`select revision from channels where name = 'renamed'`)) as [
    { revision: number },
  ];
  await rows(
    `insert into channel_revisions (revision, channel, driver, options) values (0, 'renamed', 'http', '{"deduplicates":false}')`,
  );
  const options = () =>
    rows(
      `select revision, options from channels where name = 'renamed'
        union all select revision, options from channel_revisions where channel = 'renamed' order by revision desc`,
    );
  const named = (option: string) => [
    { revision, options: { url: 'https://carrier.example', [option]: true } },
    { revision: 0, options: { [option]: false } },
  ];
  const runner = source.createQueryRunner();
  await new PlainNames1763700000043().down(runner);
  expect(await options()).toEqual(named('dropsRepeats'));
  await new PlainNames1763700000043().up(runner);
  await runner.release();
  expect(await options()).toEqual(named('deduplicates'));
  await rows(`delete from channels where name = 'renamed'`);
});
