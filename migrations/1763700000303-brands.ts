import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Brands1763700000303 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- How a reseller appears to its customers. What is null is as in the installation.
      create table brands (
        owner_id uuid primary key references users (id) on delete cascade,
        title text check (length(title) between 1 and 60),
        -- #rrggbb.
        primary_color text check (primary_color ~ '^#[0-9a-f]{6}$'),
        accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
        email text,
        phone text,
        chat_url text,
        privacy_url text,
        offer_url text,
        locale text,
        -- Host of the cabinet in ASCII, as browsers send it. A manager has checked that it is the reseller's.
        domain text constraint brands_domain unique check (domain = lower(domain))
      );
      create table brand_logos (
        owner_id uuid not null references brands (owner_id) on delete cascade,
        scheme text not null check (scheme in ('light', 'dark')),
        -- SHA-256 of the bytes, in hex: the address of the picture.
        hash text not null check (length(hash) = 64),
        type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
        bytes bytea not null check (length(bytes) <= 131072),
        primary key (owner_id, scheme)
      );
      create index brand_logos_hash on brand_logos (hash)`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table brand_logos; drop table brands`);
  }
}
