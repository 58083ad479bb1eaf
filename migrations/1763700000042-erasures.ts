import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Erasures1763700000042 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- How often nobody knew what became of a batch that its carrier was sent.
      alter table batches add doubts smallint not null default 0;

      -- Persons whom an account was asked to forget, until nothing of them is left.
      create table erasures (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        address text not null,
        -- What stands in place of the address.
        word text not null,
        -- Whether contacts, names and incoming messages are gone; messages follow when they are over.
        is_begun boolean not null default false,
        due_at timestamptz not null default now(),
        unique (owner_id, address)
      );
      create index erasures_due on erasures (due_at);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table erasures;
      alter table batches drop doubts;
    `);
  }
}
