import { createHash } from 'node:crypto';
type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** The words of the report. */
interface ReportWords {
  headers: readonly string[];
  applied: string;
  refused: string;
  unknownAccount: string;
}

const OPERATION = '01930000-0000-7000-8000-000000000301';
const REPORT = '01930000-0000-7000-8000-000000000302';
const FILENAME = 'Бонусы.csv';
const DAYS_AGO = 14;

/** The entry of customer2 comes from a bulk operation of the manager, with its task and report. */
export async function seedOperations(
  query: Query,
  { manager, customer2 }: { manager: string; customer2: string },
  words: ReportWords,
  write: (id: string, bytes: Buffer) => Promise<void>,
): Promise<void> {
  const rows = [
    {
      n: 2,
      account: 'customer2',
      owner: customer2,
      amount: 1500,
      comment: 'Бонус за подключение',
      reason: null,
    },
    {
      n: 3,
      account: 'customer3',
      owner: null,
      amount: 1500,
      comment: null,
      reason: 'unknown_account',
    },
  ];
  const source = Buffer.from(
    `\ufeffЛогин;Сумма;Комментарий\n${rows.map((r) => `${r.account};${r.amount};${r.comment ?? ''}\n`).join('')}`,
  );
  const hash = createHash('sha256').update(source).digest('hex');
  await query(
    `insert into billing_operations (id, owner_id, user_id, state, filename, hash, locale, rows, ready, reasons, sums, report_id, started_at, finished_at)
     values ($1, $2, $2, 'finished', $3, $4, 'ru', 2, 1, '{"unknown_account": 1}', $5, $6, now() - make_interval(days => $7), now() - make_interval(days => $7))`,
    [
      OPERATION,
      manager,
      FILENAME,
      hash,
      JSON.stringify([{ currency: 'RUB', accounts: 1, entries: 1, credits: 1500, debits: 0 }]),
      REPORT,
      DAYS_AGO,
    ],
  );
  await query(
    `with rows as (
       insert into billing_operation_rows (operation_id, n, account, account_id, currency, amount, comment, outcome, reason)
       select $1, r.n, r.account, r.owner, case when r.owner is not null then 'RUB' end, r.amount, r.comment,
              case when r.reason is null then 'applied' else 'refused' end, r.reason
         from jsonb_to_recordset($2::jsonb) as r(n int, account text, owner uuid, amount numeric, comment text, reason text)
       returning id, account_id, amount, comment, outcome)
     update billings b set origin = 5, origin_id = r.id, comment = r.comment, created_by = $3
       from rows r where r.outcome = 'applied' and b.owner_id = r.account_id and b.amount = r.amount`,
    [OPERATION, JSON.stringify(rows), manager],
  );
  await query(
    `with task as (
       insert into tasks (id, owner_id, user_id, type, title, state, data, audience, expected, has_texts, started_at, finished_at, created_at, updated_at)
       select $1, $2, $2, 'billings:operations', $3, 'completed', $4, '[]', 1, false, at, at, at, at from (select now() - make_interval(days => $5) as at) t)
     insert into task_counters (task_id, completed) values ($1, 1)`,
    [
      OPERATION,
      manager,
      FILENAME,
      { operations: { filename: FILENAME, rows: 1, ReportId: REPORT } },
      DAYS_AGO,
    ],
  );
  const report = rows.map(({ n, account, owner, amount, comment, reason }) =>
    [
      n,
      account,
      owner ? account : '',
      amount,
      owner ? 'RUB' : '',
      comment ?? '',
      reason ? words.refused : words.applied,
      reason ? words.unknownAccount : '',
    ].join(';'),
  );
  const bytes = Buffer.from(`\ufeff${[words.headers.join(';'), ...report, ''].join('\n')}`);
  await write(REPORT, bytes);
  await query(
    `insert into files (id, owner_id, title, filename, type, size, hash, created_at)
     values ($1, $2, 'Бонусы - report.csv', 'Бонусы - report.csv', 'text/csv', $3, $4, now() - make_interval(days => $5))`,
    [REPORT, manager, bytes.length, createHash('sha256').update(bytes).digest('hex'), DAYS_AGO],
  );
}
