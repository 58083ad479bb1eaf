import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RolesOfIdentityProviders1763700000373 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table identity_providers
        -- By groups of the provider, in order: [{"group": text or null for everybody, "role": text}]. Empty: it makes nobody a member.
        add roles jsonb not null default '[]',
        -- The claim that names the groups of a person.
        add groups_claim text not null default 'groups';
      -- The provider has made its user a member of its account, and gives the role.
      alter table identities add is_managed boolean not null default false;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table identities drop is_managed;
      alter table identity_providers drop roles, drop groups_claim;
    `);
  }
}
