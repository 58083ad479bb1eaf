import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of what an automation may need. */
const NEEDED = ['contact_lists', 'segments', 'templates'];

export class LackingAutomations1763700000400 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Ids of the list, the segment and the templates of an automation.
      create function automation_needs(trigger jsonb, steps jsonb) returns text[] immutable parallel safe language sql as $f$
        select array_remove(array[trigger->>'ListId', trigger->>'SegmentId']
          || array(select step->>'TemplateId' from jsonb_array_elements(steps) step), null)
      $f$;
      create index automations_needs on automations using gin (automation_needs(trigger, steps)) where is_active;

      -- Automations to be looked at, since something that they need was removed while they were active.
      create table automations_lacking (
        automation_id uuid primary key references automations(id) on delete cascade
      );
      insert into automations_lacking select id from automations where is_active;

      create function note_lacking() returns trigger language plpgsql as $f$
      begin
        insert into automations_lacking (automation_id)
        select id from automations
         where is_active and automation_needs(trigger, steps) && array(select id::text from gone)
         order by id
        on conflict do nothing;
        return null;
      end $f$;
    `);
    for (const table of NEEDED)
      await q.query(`
        create trigger note_lacking after delete on ${table} referencing old table as gone
          for each statement execute function note_lacking()`);
  }

  async down(q: QueryRunner): Promise<void> {
    for (const table of NEEDED) await q.query(`drop trigger note_lacking on ${table}`);
    await q.query(`
      drop function note_lacking();
      drop table automations_lacking;
      drop index automations_needs;
      drop function automation_needs(jsonb, jsonb)`);
  }
}
