import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Links1763700000010 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table links (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        url text not null,
        -- Where it is answered: under a code of our own, or in full at another service.
        code text collate "C" unique,
        external text,
        clicks integer not null default 0,
        clicked_at timestamptz,
        created_at timestamptz not null default now(),
        check (num_nonnulls(code, external) = 1)
      ) with (fillfactor = 90);
      create index links_owner on links (owner_id, id);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table links`);
  }
}
