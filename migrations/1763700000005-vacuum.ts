import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the hot tables are vacuumed. A fifth of a table, as Postgres waits for by default, is hours of a busy installation;
 * rows that are few and written at every batch, and queues that are filled and emptied, are counted rather than measured.
 */
export class Vacuum1763700000005 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    for (const table of ['batches', 'billings', 'carrier_refs']) {
      await q.query(`alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02)`);
    }
    for (const table of ['task_counters', 'balances', 'fallback_signals', 'parked_reports']) {
      await q.query(`alter table ${table} set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000)`);
    }
  }

  async down(q: QueryRunner): Promise<void> {
    const names = ['vacuum_scale_factor', 'analyze_scale_factor'].map((n) => `autovacuum_${n}`);
    for (const table of ['batches', 'billings', 'carrier_refs'])
      await q.query(
        `alter table ${table} reset (${names.join(', ')}, autovacuum_vacuum_insert_scale_factor)`,
      );
    for (const table of ['task_counters', 'balances', 'fallback_signals', 'parked_reports'])
      await q.query(
        `alter table ${table} reset (${names.join(', ')}, autovacuum_vacuum_threshold, autovacuum_analyze_threshold)`,
      );
  }
}
