import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Automations1763700000326 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- What happens to each person for whom something has happened. docs/decisions/183-automations.md.
      create table automations (
        id uuid primary key default uuidv7(),
        owner_id uuid not null references users(id) on delete cascade,
        -- Who set it up or changed it last. Without a foreign key to tokens, as of recurring sendings.
        user_id uuid not null references users(id) on delete cascade,
        token_id uuid,
        title text not null collate "und-x-icu",
        trigger jsonb not null,
        steps jsonb not null,
        -- The greatest id that a step ever had.
        last_step integer not null,
        time_zone text not null,
        is_active boolean not null,
        reason text,
        started_at timestamptz,
        -- When contacts or messages are looked through again; of those that do, while they are active.
        next_scan_at timestamptz,
        -- While they are: the time that the look is for, and the last list and contact, or message, that were looked at.
        scan_at timestamptz,
        scan_list uuid,
        scan_after uuid,
        -- Until when messages were looked at; of segments, since when others than the members of the start enter.
        scanned_to timestamptz,
        -- Numbers of people by state, and of each step.
        counts jsonb not null default '{}',
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index automations_owner on automations (owner_id, created_at desc, id desc);
      create index automations_user on automations (user_id);
      create index automations_scan on automations (next_scan_at) where next_scan_at is not null;
      create index automations_listed on automations ((trigger->>'ListId')) where is_active and trigger->>'when' = 'listed';
      create index automations_keyword on automations (owner_id) where is_active and trigger->>'when' = 'keyword';

      -- People in automations. A person enters once for each occurrence: a year of a date, a day of a keyword, otherwise ''.
      create table automation_runs (
        id uuid primary key default uuidv7(),
        automation_id uuid not null references automations(id) on delete cascade,
        owner_id uuid not null,
        address text not null,
        occurrence text not null default '',
        contact_id uuid,
        -- new: not counted yet; member: of the segment before the start.
        state text not null default 'new' check (state in ('new', 'waiting', 'done', 'stopped', 'left', 'failed', 'member')),
        taken integer[] not null default '{}',
        due_at timestamptz,
        tries smallint not null default 0,
        code text,
        sending_id uuid,
        ended_at timestamptz,
        created_at timestamptz not null default now(),
        check ((due_at is null) = (ended_at is not null))
      );
      create unique index automation_runs_person on automation_runs (automation_id, address, occurrence);
      create index automation_runs_due on automation_runs (automation_id, due_at, (taken[cardinality(taken)])) where due_at is not null;
      create index automation_runs_shown on automation_runs (automation_id, id desc) where state <> 'member';
      create index automation_runs_address on automation_runs (owner_id, address);
      -- Who has become a member of a segment once does not enter again, so those are kept.
      create index automation_runs_ended on automation_runs (ended_at) where ended_at is not null and state <> 'member';

      -- Every way to add contacts ends here, whatever the number: nobody is missed.
      create function enter_listed() returns trigger language plpgsql as $f$
      begin
        insert into automation_runs (automation_id, owner_id, address, contact_id, due_at)
        select a.id, a.owner_id, coalesce(n.phone, n.email), n.id, now()
          from automations a join added n on n.list_id::text = a.trigger->>'ListId'
         where a.is_active and a.trigger->>'when' = 'listed'
           and a.trigger->>'ListId' = any(array(select distinct list_id::text from added))
         order by 1, 3
        on conflict do nothing;
        return null;
      end $f$;
      create trigger enter_listed after insert on contacts referencing new table as added
        for each statement execute function enter_listed()
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop trigger enter_listed on contacts;
      drop function enter_listed();
      drop table automation_runs, automations`);
  }
}
