import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FoundNetworks1763700000305 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Networks of numbers, as the last look-ups of an account have found them.
      create table found_networks (
        owner_id uuid not null references users(id) on delete cascade,
        phone text not null,
        -- MCC and MNC.
        network text not null,
        found_at timestamptz not null,
        primary key (owner_id, phone)
      );
      create index found_networks_age on found_networks (found_at);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table found_networks`);
  }
}
