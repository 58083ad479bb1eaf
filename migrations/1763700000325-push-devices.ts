import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PushDevices1763700000325 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Apps and browsers that get the push messages of an account to a phone number.
      create table push_devices (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        phone text not null,
        kind text not null check (kind in ('fcm', 'web-push')),
        -- The registration token, or the endpoint of the subscription.
        address text not null,
        -- Its SHA-256.
        address_hash bytea not null,
        -- Of a subscription.
        keys jsonb check ((keys is null) = (kind = 'fcm')),
        title text,
        updated_at timestamptz not null default now(),
        unique (owner_id, address_hash)
      );
      create index push_devices_owner on push_devices (owner_id, id desc);
      -- Searched by the beginning of the number.
      create index push_devices_phone on push_devices (owner_id, phone text_pattern_ops);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table push_devices`);
  }
}
