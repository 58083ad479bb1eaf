import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of channels that only one worker at a time may have open. */
export class ChannelSessions1763700000151 implements MigrationInterface {
  async up(q: QueryRunner): Promise<void> {
    await q.query(`
      create table channel_sessions (
        channel text not null,
        slot smallint not null,
        -- A fencing token: who has an older one changes nothing.
        lease integer not null default 0,
        lease_until timestamptz not null,
        worker text,
        connected_at timestamptz,
        error text,
        primary key (channel, slot)
      )`);
  }

  async down(q: QueryRunner): Promise<void> {
    await q.query(`drop table channel_sessions`);
  }
}
