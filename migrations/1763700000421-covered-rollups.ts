import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a row of a rollup is of. */
const KEYS = 'owner_id, at, type, mccmnc, sender, task_id, token_id';
/** The keys of a message `r`. */
const OF_MESSAGE = `r.owner_id, quarter_of(uuid_extract_timestamp(r.id)), r.type, r.mccmnc, r.sender, r.group_id, r.token_id`;
/** Whether a package covers the message of an entry: its units were taken and not given back. */
const isCovered = (entry: string) => `(${entry}.package_id is not null and ${entry}.status = 1)`;

export class CoveredRollups1763700000421 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Messages that packages cover.
      alter table rollups add covered integer not null default 0;
      -- What is to be added to it. Not in rollup_changes, whose rows processes of the version before take without it.
      create table covered_changes (
        id bigint generated always as identity primary key,
        owner_id uuid not null,
        at timestamptz not null,
        type smallint not null,
        mccmnc text not null,
        sender text not null,
        task_id uuid,
        token_id uuid,
        covered integer not null);

      -- The entries are written by the statement that inserts the messages. Only those of free messages are looked for.
      create function count_covered_messages() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        if exists (select 1 from new_rows where amount = 0) then
          insert into covered_changes (${KEYS}, covered)
          select ${OF_MESSAGE}, count(*) from new_rows r
           where r.amount = 0 and r.mccmnc is not null and (select ${isCovered('l')} from billings l where l.id = r.id)
           group by ${OF_MESSAGE};
        end if;
        return null;
      end $$;
      create trigger count_covered_messages after insert on sendings referencing new table as new_rows
        for each statement execute function count_covered_messages();

      create function count_uncovered_messages() returns trigger language plpgsql set enable_seqscan = off as $$
      begin
        if exists (select 1 from old_rows where package_id is not null) then
          insert into covered_changes (${KEYS}, covered)
          select ${OF_MESSAGE}, sum(l.sign)
            from (select id, 1 as sign from new_rows n where ${isCovered('n')}
                  union all select id, -1 from old_rows o where ${isCovered('o')}) l
                 cross join lateral (select * from sendings s where s.id = l.id offset 0) r
           where r.mccmnc is not null
           group by ${OF_MESSAGE} having sum(l.sign) <> 0;
        end if;
        return null;
      end $$;
      create trigger count_uncovered_messages after update on billings referencing old table as old_rows new table as new_rows
        for each statement execute function count_uncovered_messages();

      -- Messages until now: those of accounts with packages, since their first one. Clocks may differ.
      insert into covered_changes (${KEYS}, covered)
      select ${OF_MESSAGE}, count(*)
        from (select distinct on (owner_id) owner_id, uuidv7(uuid_extract_timestamp(id) - interval '1 hour' - now()) as first_id
                from message_packages order by owner_id, id) p
             join billings l on l.owner_id = p.owner_id and l.status = 1 and l.id > p.first_id and l.package_id is not null
             join sendings r on r.id = l.id
       where r.mccmnc is not null
       group by ${OF_MESSAGE};
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop trigger count_uncovered_messages on billings;
      drop trigger count_covered_messages on sendings;
      drop function count_uncovered_messages(), count_covered_messages();
      drop table covered_changes;
      alter table rollups drop covered;
    `);
  }
}
