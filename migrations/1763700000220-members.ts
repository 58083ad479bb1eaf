import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users of an account beside its holder are members with a role; those who leave stay as rows that the audit log names. */
export class Members1763700000220 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table users add role text check (role in ('owner', 'sender', 'analyst', 'accountant', 'developer', 'readOnly')),
        add removed_at timestamptz check (removed_at is null or not is_active);
      -- They could do all that the holder can.
      update users set role = 'owner' where owner_id <> id;
      alter table users add constraint users_role check ((role is null) = (owner_id = id));
    `);
  }

  /** Without roles, members would have all rights of the account. */
  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      update users set is_active = false where role <> 'owner';
      alter table users drop constraint users_role, drop role, drop removed_at;
    `);
  }
}
