import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ContactFields1763700000291 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What an account calls a field of its contacts; those without a row have no name.
      create table contact_fields (
        owner_id uuid not null references users(id) on delete cascade,
        -- custom01 to custom20.
        field text not null,
        title text not null,
        primary key (owner_id, field)
      )
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table contact_fields`);
  }
}
