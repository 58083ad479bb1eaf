import type { MigrationInterface, QueryRunner } from 'typeorm';

const CONFIGURED = ['webhooks', 'inbound_rules', 'otp_widgets', 'report_schedules', 'reports'];

/**
 * The API token in whose name a row acts: the one that configured it last. Null: the account itself, as for all rows of before. Without
 * a foreign key, so that the row of a token that was removed does not become one of the account.
 */
export class ActingTokens1763700000115 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    for (const table of CONFIGURED) await q.query(`alter table ${table} add token_id uuid`);
    await q.query(`
      alter table webhooks drop constraint webhooks_reason_check,
        add constraint webhooks_reason_check check (reason in ('manual', 'failing', 'gone', 'forbidden'));
      -- Of a message that was added by a call: the token that answers to it count for, and the actions that its caller may cause; null for all.
      alter table incoming_queue add token_id uuid, add allowed text[];
      alter table auto_replies add token_id uuid;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table auto_replies drop token_id;
      alter table incoming_queue drop token_id, drop allowed;
      update webhooks set reason = 'manual' where reason = 'forbidden';
      alter table webhooks drop constraint webhooks_reason_check,
        add constraint webhooks_reason_check check (reason in ('manual', 'failing', 'gone'));
    `);
    for (const table of CONFIGURED) await q.query(`alter table ${table} drop token_id`);
  }
}
