import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sessions1763700000020 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      -- The actor's own session that a login-as session was opened from, and ends with. Those of before name none and end.
      alter table sessions add actor_session_id uuid references sessions(id) on delete cascade,
        add signed_in_at timestamptz not null default now();
      -- When the password was given: renewals keep it, and end when the session's lifetime does.
      update sessions set signed_in_at = created_at;
      create index sessions_actor on sessions (actor_session_id) where actor_session_id is not null;
    `);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`
      drop index sessions_actor;
      alter table sessions drop actor_session_id, drop signed_in_at;
    `);
  }
}
