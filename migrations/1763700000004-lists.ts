import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lists of millions are read along (docs/decisions/009-lists-at-millions.md). No index names what changes in most sendings. */
export class Lists1763700000004 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await phones(q, 'C');
    await q.query(`
      -- Ids rise: an ascending index is written at its end, and read backwards as well as forwards.
      drop index sendings_owner, sendings_failed;
      create index sendings_owner on sendings (owner_id, id);
      create index sendings_type on sendings (owner_id, type, id);
      create index sendings_tail on sendings (owner_id, right(phone, 4));
      create index sendings_seen on sendings (owner_id, id) include (type) where seen_at is not null;
      create index sendings_failed on sendings (owner_id, id) include (type) where failed_at is not null;

      -- An entry's status changes once at most, with a refund.
      drop index billings_owner;
      create index billings_owner on billings (owner_id, status, id) include (source);
      create index billings_source on billings (owner_id, source, id);

      create extension if not exists pg_trgm;
      -- What a contact is found by: any digits of its phone, and the beginnings of the words of its names and e-mail.
      -- Three letters each of everything would be found anywhere, and take twice the time to write.
      create function contact_words(email text, last text, first text, middle text) returns tsvector
        immutable parallel safe language sql
        return array_to_tsvector(array_remove(string_to_array(translate(
          lower((coalesce(last, '') || ' ' || coalesce(first, '') || ' ' || coalesce(middle, '') || ' ' || coalesce(email, '')) collate "und-x-icu"),
          '-''’.,()@_+', '          '), ' '), ''));
      create index contacts_words on contacts using gin (phone gin_trgm_ops, contact_words(email, last_name, first_name, middle_name))
        with (gin_pending_list_limit = 65536);

      -- In the order of phones too: those without one are among them, and as different from each other as ever.
      drop index contacts_list_phone;
      create unique index contacts_list_phone on contacts (list_id, phone);

      create index sendings_incoming_type on sendings_incoming (owner_id, type, id desc);
      create index sendings_incoming_from on sendings_incoming (owner_id, "from", id desc);
      create index sendings_incoming_words on sendings_incoming using gin (("from" || E'\\n' || coalesce(payload->>'text', '')) gin_trgm_ops);
      create index tasks_state on tasks (owner_id, state, created_at desc);
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop index tasks_state, sendings_incoming_words, sendings_incoming_from, sendings_incoming_type, contacts_words,
                 billings_source, billings_owner, sendings_failed, sendings_seen, sendings_tail, sendings_type, sendings_owner;
      drop function contact_words;
      drop index contacts_list_phone;
      create unique index contacts_list_phone on contacts (list_id, phone) where phone is not null;
      create index billings_owner on billings (owner_id, id desc);
      create index sendings_owner on sendings (owner_id, id desc);
      create index sendings_failed on sendings (owner_id, id desc) where failed_at is not null;
    `);
    await phones(q, 'default');
  }
}

/** Phones and e-mails are compared by their bytes: their ranges find beginnings, and indexes are written faster. */
async function phones(q: QueryRunner, collation: string): Promise<void> {
  await q.query(`
      drop view sendings_now;
      alter table sendings alter phone type text collate "${collation}";
      alter table task_phones alter phone type text collate "${collation}";
      alter table contacts alter phone type text collate "${collation}", alter email type text collate "${collation}";
      -- The one place that says what a sending's status, times and chain are.
      create view sendings_now as
        select s.*, coalesce(s.chain_id, s.id) as chain,
               coalesce(s.status, stage_status(b.stage)) as now_status,
               coalesce(s.status is null and b.stage <= 1 and t.state = 'paused', false) as is_paused,
               coalesce(s.sent_at, b.handed_at) as handed_at,
               uuid_extract_timestamp(s.id) as created_at,
               greatest(uuid_extract_timestamp(s.id), b.updated_at, s.sent_at, s.delivered_at, s.seen_at, s.failed_at) as updated_at,
               b.task_id, b.channel, b.stage, coalesce(t.data->'sending', b.plan) as plan
          from sendings s join batches b on b.id = s.batch_id left join tasks t on t.id = b.task_id;
  `);
}
