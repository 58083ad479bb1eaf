import type { MigrationInterface, QueryRunner } from 'typeorm';

const GRANTS = `'["channels.get", "channels.create", "channels.update", "channels.remove"]'::jsonb`;

export class ChannelAdministration1763700000027 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- Channels are the installation's: who administered it until now was a manager who sees everybody.
      update users set grants = jsonb_set(grants, '{add}', (grants->'add') || ${GRANTS})
       where level = 'manager' and grants->'add' ? 'users.all' and not coalesce(grants->'remove' ? 'users.all', false);

      -- Another number whenever driver or options change. Batches name it in place of a copy of the options.
      create sequence channel_revision as integer;
      alter table channels add revision integer not null default nextval('channel_revision');

      -- What was replaced, for as long as batches that were handed over under it are asked about.
      create table channel_revisions (
        revision integer primary key,
        channel text not null references channels(name) on delete cascade,
        driver text not null,
        options jsonb not null,
        superseded_at timestamptz not null default now()
      );
      create index channel_revisions_channel on channel_revisions (channel);

      create function revise_channel() returns trigger language plpgsql as $$
      begin
        insert into channel_revisions (revision, channel, driver, options)
        values (old.revision, old.name, old.driver, old.options);
        new.revision := nextval('channel_revision');
        return new;
      end $$;
      create trigger revise_channel before update of driver, options on channels for each row
        when ((old.driver, old.options) is distinct from (new.driver, new.options))
        execute function revise_channel();

      -- The column options stays for workers of the version before, which write it until they are replaced.
      alter table batches add channel_revision integer;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      alter table batches drop channel_revision;
      drop trigger revise_channel on channels;
      drop function revise_channel();
      drop table channel_revisions;
      alter table channels drop revision;
      drop sequence channel_revision;
      update users set grants = jsonb_set(grants, '{add}',
             (grants->'add') - 'channels.get' - 'channels.create' - 'channels.update' - 'channels.remove')
       where grants ? 'add'`);
  }
}
