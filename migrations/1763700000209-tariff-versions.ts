import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rules belong to versions, which are added and never changed: a bill names the one that it was priced by. */
export class TariffVersions1763700000209 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table tariff_versions (
        tariff_id uuid not null references tariffs(id) on delete cascade,
        number integer not null,
        -- In force from here until the next one starts.
        starts_at timestamptz not null default now(),
        created_at timestamptz not null default now(),
        created_by uuid,
        primary key (tariff_id, number)
      );
      insert into tariff_versions (tariff_id, number, starts_at, created_at)
      select id, 1, created_at, created_at from tariffs;

      -- Every tariff has a first version from its creation.
      create function add_first_tariff_version() returns trigger language plpgsql as $$
      begin
        insert into tariff_versions (tariff_id, number) values (new.id, 1);
        return null;
      end $$;
      create trigger tariffs_first_version after insert on tariffs
        for each row execute function add_first_tariff_version();

      alter table tariff_rules add version integer not null default 1,
        add constraint tariff_rules_version foreign key (tariff_id, version) references tariff_versions on delete cascade;
      create index tariff_rules_of_version on tariff_rules (tariff_id, version);
      drop index tariff_rules_tariff;

      create view tariff_rules_in_force as
        select r.id, r.tariff_id, r.version, r.action, r.price, r.conditions, r.priority
          from tariff_rules r
         where r.version = (select v.number from tariff_versions v where v.tariff_id = r.tariff_id and v.starts_at <= now()
                             order by v.starts_at desc, v.number desc limit 1);

      -- Of the tariff that set the price.
      alter table billings add tariff_version integer;
      -- Removed tariffs stay for the bills that name them.
      alter table tariffs add removed_at timestamptz;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      delete from tariff_rules where id not in (select id from tariff_rules_in_force);
      drop view tariff_rules_in_force;
      delete from tariffs where removed_at is not null;
      alter table tariffs drop removed_at;
      alter table billings drop tariff_version;
      create index tariff_rules_tariff on tariff_rules (tariff_id);
      alter table tariff_rules drop version;
      drop trigger tariffs_first_version on tariffs;
      drop function add_first_tariff_version;
      drop table tariff_versions;
    `);
  }
}
