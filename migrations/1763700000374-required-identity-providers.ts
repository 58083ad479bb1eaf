import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RequiredIdentityProviders1763700000374 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    // Of an account: its members sign in through the provider alone, except for the holder.
    await q.query(`alter table identity_providers add is_required boolean not null default false`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`alter table identity_providers drop is_required`);
  }
}
