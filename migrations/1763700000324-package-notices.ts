import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PackageNotices1763700000324 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table message_packages
        -- The used share in percent that the owner was notified of.
        add used_notified smallint not null default 0,
        -- Also of packages that last for no longer than the time of the notice.
        add ending_notified boolean not null default false;
      -- The past is not announced.
      update message_packages
         set ending_notified = ends_at < now(),
             used_notified = case when units_left = 0 then 100 when units_left * 5::bigint <= units then 80 else 0 end;
      create index message_packages_ending on message_packages (ends_at) where not ending_notified;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table message_packages drop ending_notified, drop used_notified`);
  }
}
