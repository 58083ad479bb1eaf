import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SmppServer1763700000211 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The queue of an account's receivers over SMPP: its events are delivered by the SMPP server and not called.
      alter table webhooks add column is_smpp boolean not null default false;
      create unique index webhooks_smpp on webhooks (owner_id, event) where is_smpp;

      -- Of the beginning of a secret, which is all that SMPP has room for: a slow hash, as it could be guessed.
      alter table tokens add column bind_hash text, add column previous_bind_hash text;

      -- Parts of long messages, each with the id of its answer. They wait for the others; then they are known as those of a message.
      create table smpp_parts (
        id uuid primary key,
        owner_id uuid not null references users(id) on delete cascade,
        -- A hash of their sender, addresses, reference and number.
        key text not null,
        index smallint not null,
        total smallint not null,
        alphabet text not null,
        octets bytea not null,
        -- 0 none, 1 of each outcome, 2 of failures.
        receipt smallint not null,
        source jsonb not null,
        -- Of those that wait or were given up. That of a message is with the message.
        destination jsonb,
        -- Once the message is accepted or refused; of parts that were given up, the first of them.
        sending_id uuid
      );
      create unique index smpp_parts_waiting on smpp_parts (owner_id, key, index) where sending_id is null;
      create index smpp_parts_incomplete on smpp_parts (id) where sending_id is null;
      create index smpp_parts_addresses on smpp_parts (owner_id) where destination is not null;
      create index smpp_parts_sending on smpp_parts (sending_id) where sending_id is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table smpp_parts;
      alter table tokens drop column bind_hash, drop column previous_bind_hash;
      delete from webhooks where is_smpp;
      alter table webhooks drop column is_smpp;
    `);
  }
}
