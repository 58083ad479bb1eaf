import type { MigrationInterface, QueryRunner } from 'typeorm';

const GRANTS = ['get', 'create', 'update', 'remove'].map((verb) => `identityProviders.${verb}`);

export class IdentityProviders1763700000295 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table identity_providers (
        id uuid primary key default uuidv7(),
        title text not null,
        issuer text not null,
        client_id text not null,
        -- Sealed.
        secret bytea not null,
        -- Whose users and customers it signs in; null: all users.
        account_id uuid references users(id) on delete cascade,
        levels text[] not null,
        trusts_second_factor boolean not null,
        is_active boolean not null,
        updated_at timestamptz not null default now()
      );
      create index identity_providers_account on identity_providers (account_id);
      create table identities (
        id uuid primary key default uuidv7(),
        user_id uuid not null references users(id) on delete cascade,
        provider_id uuid not null references identity_providers(id) on delete cascade,
        -- By which the provider knows the person: the claim "sub".
        subject text not null,
        -- For people to read.
        name text not null,
        -- When the last accepted sign-in was begun: an older one is refused, and each is accepted once.
        begun_at timestamptz not null,
        last_used_at timestamptz,
        unique (provider_id, subject),
        unique (user_id, provider_id)
      )`);
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') || $1::jsonb) where grants->'add' ? 'users.all'`,
      [JSON.stringify(GRANTS)],
    );
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(
      `update users set grants = jsonb_set(grants, '{add}', (grants->'add') - $1::text[]) where grants ? 'add'`,
      [GRANTS],
    );
    await q.query(`drop table identities, identity_providers`);
  }
}
