import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ShareShifts1763700000313 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table routes
        -- Its channels get more and fewer messages than by their weights, by how well they deliver.
        add column shifts_shares boolean not null default false,
        -- From how many seconds a receipt is late.
        add column late_after integer not null default 300;
      -- Until when receipts have shifted shares.
      alter table route_version add column shares_judged_until timestamptz;
      -- Shares that are no longer, or not always, those of the weights.
      create table route_shares (
        route_id uuid not null references routes on delete cascade,
        channel text not null,
        -- Parts of a thousand.
        share integer not null check (share between 0 and 1000),
        -- When the channel was last found to do worse than the others.
        poor_at timestamptz,
        primary key (route_id, channel)
      );
      create table share_shifts (
        id uuid primary key default uuidv7(),
        route_id uuid not null references routes on delete cascade,
        channel text not null,
        before integer not null,
        after integer not null,
        reason text not null,
        -- What a loss was decided by.
        figures jsonb,
        created_at timestamptz not null default now()
      );
      create index share_shifts_route on share_shifts (route_id, id);
      create index share_shifts_channel on share_shifts (channel, id)
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table share_shifts; drop table route_shares`);
    await q.query(`alter table route_version drop column shares_judged_until`);
    await q.query(`alter table routes drop column shifts_shares, drop column late_after`);
  }
}
