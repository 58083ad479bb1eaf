import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables that grow with traffic and are written all the time: making an index on one would stop its writers for minutes. */
export const BIG_TABLES = [
  'sendings',
  'batches',
  'billings',
  'contacts',
  'carrier_refs',
  'sendings_incoming',
  'conversations',
  'tasks',
  'task_phones',
  'visits',
  'notifications',
  'audit_log',
  'idempotency_keys',
  'webhook_events',
  'otp_sessions',
  'suppressions',
  'integration_messages',
  'incoming_queue',
];

/**
 * A migration that makes indexes while their tables are written, and nothing else: it runs outside of a transaction. What an
 * interrupted one left is done again, so running it once more ends what it began.
 */
export abstract class ConcurrentIndexes implements MigrationInterface {
  /** Read by TypeORM. */
  readonly transaction = false;
  /** By name: `on batches (closed_at) where ...`, or `unique on ...`. */
  protected abstract readonly indexes: Record<string, string>;
  /** Those that they replace, which are dropped when the new ones are complete. */
  protected readonly replaced: Record<string, string> = {};

  async up(q: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(this.indexes)) {
      const rows = (await q.query(
        `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`,
        [name],
      )) as { valid: boolean }[];
      if (rows[0]?.valid === false) await q.query(`drop index concurrently ${name}`);
      const [, unique = '', target] = /^(unique )?(.*)$/s.exec(definition)!;
      if (!rows[0]?.valid) await q.query(`create ${unique}index concurrently ${name} ${target}`);
    }
    for (const name of Object.keys(this.replaced))
      await q.query(`drop index concurrently if exists ${name}`);
  }

  /** In a transaction, as all that goes down. */
  async down(q: QueryRunner): Promise<void> {
    for (const [name, target] of Object.entries(this.replaced))
      await q.query(`create index ${name} ${target}`);
    for (const name of Object.keys(this.indexes)) await q.query(`drop index if exists ${name}`);
  }
}
