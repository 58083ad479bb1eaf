import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FreeCredit1763700000026 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Phones whose first account got the free credit. Whoever had an account before had it, too.
      create table free_credits (
        phone text primary key,
        owner_id uuid not null references users(id) on delete cascade,
        amount numeric(18,4) not null,
        created_at timestamptz not null default now()
      );
      create index free_credits_owner on free_credits (owner_id);
      -- It is among the first entries of an account.
      insert into free_credits (phone, owner_id, amount, created_at)
        select distinct on (data->>'phone') data->>'phone', id, coalesce(
                 (select sum(amount) from (select amount, comment from billings b where b.owner_id = u.id order by b.id limit 5) first
                   where comment = 'Starting credit'), 0), created_at
          from users u where id = owner_id and data->>'phone' <> '' order by data->>'phone', created_at;

      -- Messages of a day that unconfirmed accounts sent to their registered phones, by account and by phone.
      create table unconfirmed_messages (
        key text not null,
        day date not null,
        count smallint not null default 0,
        primary key (day, key)
      );
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table unconfirmed_messages, free_credits`);
  }
}
