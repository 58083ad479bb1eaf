import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MessageCallbacks1763700000340 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- A queue of callbacks of messages, to URLs of one origin that calls with one secret of a token have named: kannel, twilio.
      alter table webhooks add column callback_api text,
        -- The latest time for which a message named it.
        add column used_at timestamptz;
      create unique index webhooks_callbacks on webhooks (owner_id, title, url) where callback_api is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      delete from webhooks where callback_api is not null;
      alter table webhooks drop column callback_api, drop column used_at;
    `);
  }
}
