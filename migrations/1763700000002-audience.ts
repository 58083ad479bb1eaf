import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Audience1763700000002 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table contact_lists (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        title text not null collate "und-x-icu",
        type text not null default 'regular' check (type in ('regular', 'blacklist')),
        is_active boolean not null default true,
        count integer not null default 0,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index contact_lists_owner on contact_lists (owner_id, created_at desc);

      create table contacts (
        id uuid primary key default uuidv7(),
        list_id uuid not null references contact_lists(id) on delete cascade,
        phone text,
        email text,
        first_name text,
        middle_name text,
        last_name text,
        gender text check (gender in ('male', 'female')),
        date date,
        -- custom01 to custom20, only those that are set.
        custom jsonb not null default '{}',
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        check (phone is not null or email is not null)
      );
      create unique index contacts_list_phone on contacts (list_id, phone) where phone is not null;
      create unique index contacts_list_email on contacts (list_id, email) where phone is null;
      create index contacts_list on contacts (list_id, id);

      create table files (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        title text not null collate "und-x-icu",
        filename text not null,
        type text not null,
        size integer not null,
        hash text not null,
        -- Of audio that we can read: what a voice call with it is billed by.
        seconds integer,
        is_public boolean not null default false,
        expired_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index files_owner on files (owner_id, created_at desc);

      create table sendernames (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        name text not null,
        type text not null check (type in ('sms', 'voice')),
        moderation text not null default 'pending' check (moderation in ('pending', 'approved', 'rejected')),
        is_active boolean not null default true,
        comment text not null,
        admin_comment text,
        reseller_comment text,
        admin_private_comment text,
        reseller_private_comment text,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create unique index sendernames_name on sendernames (owner_id, type, lower(name));
      create index sendernames_owner on sendernames (owner_id, created_at desc);

      create table templates (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id),
        title text not null collate "und-x-icu",
        type text not null,
        payload jsonb not null default '{}',
        recipient jsonb,
        fallbacks jsonb not null default '[]',
        is_active boolean not null default true,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index templates_owner on templates (owner_id, created_at desc);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table templates, sendernames, files, contacts, contact_lists`);
  }
}
