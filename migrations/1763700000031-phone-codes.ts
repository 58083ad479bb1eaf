import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PhoneCodes1763700000031 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- A phone that takes the place of a confirmed one when it is confirmed itself.
      alter table users add pending_phone text;

      -- One for each user at most: the code of the last SMS.
      create table phone_codes (
        user_id uuid primary key references users(id) on delete cascade,
        phone text not null,
        -- argon2id; the code itself is in the SMS alone.
        code_hash text not null,
        tries smallint not null default 0,
        expires_at timestamptz not null,
        -- The SMS, whose text is overwritten when the code is good no longer.
        sending_id uuid not null
      );
      create index phone_codes_expires on phone_codes (expires_at);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table phone_codes; alter table users drop pending_phone`);
  }
}
