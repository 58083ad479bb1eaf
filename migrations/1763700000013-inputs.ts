import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Inputs1763700000013 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- E-mails of contacts with a phone too: blacklists and excluded lists are asked for them.
      create index contacts_list_address on contacts (list_id, email) where email is not null;

      -- Of what a carrier brought: its own name for it, so that a repeat is known.
      alter table sendings_incoming add channel text, add webhook_id text;
      create unique index sendings_incoming_origin on sendings_incoming (channel, webhook_id) where webhook_id is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop index sendings_incoming_origin, contacts_list_address;
      alter table sendings_incoming drop channel, drop webhook_id`);
  }
}
