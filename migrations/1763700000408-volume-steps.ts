import type { MigrationInterface, QueryRunner } from 'typeorm';

export class VolumeSteps1763700000408 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- From how many units of a month on the prices of a version are how much less: [{"from": 10000, "percent": 5}], rising.
      alter table tariff_versions add volume_steps jsonb not null default '[]';

      -- Of a charge by a version with steps: the number of the step that its price has, 0 before the first one.
      alter table billings add volume_step smallint;

      -- What accounts were billed for in months by tariffs with steps. Changes under the lock of the balance.
      create table tariff_volumes (
        owner_id uuid not null references users(id) on delete cascade,
        tariff_id uuid not null references tariffs(id) on delete cascade,
        -- The first day of the month, which has the days of documents.
        month date not null check (date_trunc('month', month::timestamp) = month::timestamp),
        -- Of the charges with a volume step, without those that are refunded.
        units bigint not null check (units >= 0),
        primary key (owner_id, tariff_id, month)
      );
      create index tariff_volumes_tariff on tariff_volumes (tariff_id);
      -- Whether the account has a row there.
      alter table balances add has_volumes boolean not null default false;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table balances drop has_volumes;
      drop table tariff_volumes;
      alter table billings drop volume_step;
      alter table tariff_versions drop volume_steps;
    `);
  }
}
