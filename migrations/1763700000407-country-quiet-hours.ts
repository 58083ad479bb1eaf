import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CountryQuietHours1763700000407 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- When the accounts whose messages wait are to compare them with changed quiet hours of countries.
      create table country_quiet_changes (due_at timestamptz primary key);

      -- After each worker has read the setting, and after each transaction that had not.
      create function country_quiet_changed() returns trigger language plpgsql as $f$
      begin
        insert into country_quiet_changes
        select clock_timestamp() + s * interval '1 second' from unnest(array[2, 60]) s
        on conflict do nothing;
        return null;
      end $f$;
      create trigger country_quiet_set after insert or update on installation_settings
        for each row when (new.name = 'COUNTRY_QUIET_HOURS') execute function country_quiet_changed();
      create trigger country_quiet_unset after delete on installation_settings
        for each row when (old.name = 'COUNTRY_QUIET_HOURS') execute function country_quiet_changed();
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop trigger country_quiet_set on installation_settings;
      drop trigger country_quiet_unset on installation_settings;
      drop function country_quiet_changed();
      drop table country_quiet_changes`);
  }
}
