import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Registration1763700000006 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Whose code the account registered with.
      alter table users add referrer_id uuid references users(id);
      create index users_referrer on users (referrer_id) where referrer_id is not null;
      create unique index users_referral_code on users (lower(referral_code));

      alter table tariffs add is_default boolean not null default false;
      update tariffs set is_default = true where source = 'standard';

      create index notifications_unread on notifications (user_id) where not is_read;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop index notifications_unread, users_referral_code;
      alter table tariffs drop is_default;
      alter table users drop referrer_id;
    `);
  }
}
