import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of the function that compares messages before and after a statement. */
const CHANGED = `cancelled <> 0`;
const CHANGED_OR_CHARGED = `cancelled <> 0 or charged <> 0`;

const replaceSql = (from: string, to: string) => `
      do $$
      declare
        definition text := pg_get_functiondef('count_changed_messages'::regproc);
      begin
        if position('${from}' in definition) = 0 then
          raise exception 'count_changed_messages has no condition to replace';
        end if;
        execute replace(definition, '${from}', '${to}');
      end $$;`;

export class CallLengths1763700000428 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Of a price of calls that are charged by their length: {"first", "interval"} in seconds.
      alter table tariff_rules add by_length jsonb;
      create or replace view tariff_rules_in_force as
        select r.id, r.tariff_id, r.version, r.action, r.price, r.conditions, r.priority, r.by_length
          from tariff_rules r
         where r.version = (select v.number from tariff_versions v where v.tariff_id = r.tariff_id and v.starts_at <= now()
                             order by v.starts_at desc, v.number desc limit 1);

      -- Charges of calls by their length: the entry with the id of the message is a reserve. What the length costs less is given back by an
      -- entry whose origin is the message.
      create table call_charges (
        sending_id uuid primary key,
        -- Of the price, in seconds.
        first smallint not null check (first > 0),
        interval smallint not null check (interval > 0),
        -- Of the text as it is estimated, or of the recording, 0 if its length is unknown. The reserve rounds them up to the intervals.
        estimated integer not null check (estimated >= 0),
        -- For how long the call was answered, by the carrier, and the seconds that it is charged for; null while that is not known.
        seconds integer check (seconds >= 0),
        units integer check (units >= 0),
        settled_at timestamptz,
        check ((seconds is null) = (settled_at is null) and (units is null) = (settled_at is null)));
      create index call_charges_settled on call_charges (settled_at) where settled_at is not null;

      -- Of a report that came before the id of its message was known.
      alter table unmatched_reports add seconds integer;

      -- The charge of a message changes without anything else of it.
      ${replaceSql(CHANGED, CHANGED_OR_CHARGED)}
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      ${replaceSql(CHANGED_OR_CHARGED, CHANGED)}
      alter table unmatched_reports drop seconds;
      drop table call_charges;
      drop view tariff_rules_in_force;
      create view tariff_rules_in_force as
        select r.id, r.tariff_id, r.version, r.action, r.price, r.conditions, r.priority
          from tariff_rules r
         where r.version = (select v.number from tariff_versions v where v.tariff_id = r.tariff_id and v.starts_at <= now()
                             order by v.starts_at desc, v.number desc limit 1);
      alter table tariff_rules drop by_length;
    `);
  }
}
