import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SignupForms1763700000417 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Forms by which people enter themselves into a list.
      create table signup_forms (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        -- The token in whose name it acts; null: the account itself.
        token_id uuid,
        title text not null collate "und-x-icu",
        is_active boolean not null,
        -- Null, too, when the list was removed.
        list_id uuid references contact_lists(id) on delete set null,
        type text not null check (type in ('email', 'sms')),
        sender text not null,
        text text not null,
        fields jsonb not null,
        tags text[] not null,
        consent text not null,
        return_url text,
        origins text[] not null,
        countries text[],
        asked integer not null default 0,
        confirmed integer not null default 0,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index signup_forms_owner on signup_forms (owner_id, created_at desc);
      create index signup_forms_list on signup_forms (list_id);

      -- What people agree to, each version once. A version stays as long as its account: consents name it.
      create table consent_texts (
        owner_id uuid not null references users(id) on delete cascade,
        -- SHA-256.
        hash bytea not null,
        text text not null,
        primary key (owner_id, hash)
      );

      -- People who have asked to be entered. They are deleted at the end of their time, confirmed or not.
      create table signups (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        form_id uuid not null references signup_forms(id) on delete cascade,
        address text not null,
        -- What the person has entered besides; empty after the confirmation.
        "values" jsonb not null,
        -- The text that the person has seen.
        consent_hash bytea not null,
        token_hash bytea not null unique,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        confirmed_at timestamptz
      );
      create index signups_person on signups (owner_id, address);
      create index signups_form on signups (form_id);
      create index signups_end on signups (expires_at);

      -- What people have agreed to. A form that was removed leaves its consents.
      create table consents (
        owner_id uuid not null,
        address text not null,
        form_id uuid not null,
        hash bytea not null,
        title text not null,
        ip text not null,
        confirmed_at timestamptz not null,
        primary key (owner_id, address, form_id, hash),
        foreign key (owner_id, hash) references consent_texts (owner_id, hash) on delete cascade
      );
      create index consents_text on consents (owner_id, hash);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table consents, signups, consent_texts, signup_forms`);
  }
}
