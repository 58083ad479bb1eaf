import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Old name -> new name of each column, by table. */
const COLUMNS: Record<string, Record<string, string>> = {
  batches: {
    lane: 'priority',
    n: 'size',
    handed_at: 'submitted_at',
    doubts: 'unknown_outcomes',
  },
  task_counters: { in_doubt: 'unknown_outcomes' },
  channel_states: { handed: 'submitted', handed_at: 'submitted_at' },
};

const TABLES = { parked_reports: 'unmatched_reports', fallback_signals: 'fallback_triggers' };

const INDEXES = {
  parked_reports_pkey: 'unmatched_reports_pkey',
  fallback_signals_pkey: 'fallback_triggers_pkey',
  parked_reports_once: 'unmatched_reports_once',
  parked_reports_created: 'unmatched_reports_created',
  fallback_signals_due: 'fallback_triggers_due',
  fallback_signals_task: 'fallback_triggers_task',
};

/** Names of the engine's tables and columns are those of the field. No row is rewritten. */
export class PlainNames1763700000043 implements MigrationInterface {
  static readonly columns = COLUMNS;

  async up(q: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const [from, to] of Object.entries(columns))
        await q.query(`alter table ${table} rename column ${from} to ${to}`);
    await q.query(`alter view sendings_now rename column handed_at to submitted_at`);
    for (const [from, to] of Object.entries(TABLES))
      await q.query(`alter table ${from} rename to ${to}`);
    for (const [from, to] of Object.entries(INDEXES))
      await q.query(`alter index ${from} rename to ${to}`);
    await renameOption(q, 'dropsRepeats', 'deduplicates');
  }

  async down(q: QueryRunner): Promise<void> {
    await renameOption(q, 'deduplicates', 'dropsRepeats');
    for (const [from, to] of Object.entries(INDEXES))
      await q.query(`alter index ${to} rename to ${from}`);
    for (const [from, to] of Object.entries(TABLES))
      await q.query(`alter table ${to} rename to ${from}`);
    await q.query(`alter view sendings_now rename column submitted_at to handed_at`);
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const [from, to] of Object.entries(columns))
        await q.query(`alter table ${table} rename column ${to} to ${from}`);
  }
}

/** Renames an option of the driver `http` in channels and their former revisions. It is no change of settings, so no revision is added. */
async function renameOption(q: QueryRunner, from: string, to: string): Promise<void> {
  await q.query(`alter table channels disable trigger revise_channel`);
  for (const table of ['channels', 'channel_revisions'])
    await q.query(
      `update ${table} set options = (options - $1::text) || jsonb_build_object($2::text, options->$1)
        where driver = 'http' and options ? $1`,
      [from, to],
    );
  await q.query(`alter table channels enable trigger revise_channel`);
}
