import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Audit1763700000022 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- No reference to users: a record outlives whatever it tells of.
      create table audit_log (
        id uuid primary key default uuidv7(),
        action text not null,
        -- Who did it; null when nobody was signed in, and for the command line.
        actor_id uuid,
        -- In whose name, where the session was borrowed.
        user_id uuid,
        -- The account that it is about; null when there is none.
        owner_id uuid,
        target_type text,
        target_id text,
        before jsonb,
        after jsonb,
        ip text,
        -- What limits count by: the address, or the /64 of an IPv6 one.
        network text,
        useragent text,
        request_id text,
        -- Refusals of one kind within a minute are one record.
        count integer not null default 1
      );
      create index audit_log_owner on audit_log (owner_id, id);
      create index audit_log_actor on audit_log (actor_id, id);
      create index audit_log_action on audit_log (action, id);
      create index audit_log_network on audit_log (network, id);

      -- Records are removed by age alone, by the sweep that says so to its transaction.
      create function audit_log_append_only() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and current_setting('heliograph.retention', true) = 'on' then
          return old;
        end if;
        raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
      end $$;
      create trigger audit_log_rows before update or delete on audit_log
        for each row execute function audit_log_append_only();
      create trigger audit_log_truncate before truncate on audit_log
        for each statement execute function audit_log_append_only();
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop table audit_log;
      drop function audit_log_append_only();
    `);
  }
}
