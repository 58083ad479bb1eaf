import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** A session of a channel, leased by a worker; `lease` is the fencing token. */
export interface SessionLease {
  channel: string;
  slot: number;
  lease: number;
}

/** Leases of sessions. Each statement is guarded by the fencing token. */
@Injectable()
export class ChannelSessionsStore {
  constructor(private readonly db: Db) {}

  /** Adds the sessions that a channel may have. */
  async ensure(channel: string, binds: number, now: Date): Promise<void> {
    await this.db.query(
      `insert into channel_sessions (channel, slot, lease_until)
       select c.name, n, $3 from channels c, generate_series(1, $2::int) n where c.name = $1 and c.removed_at is null on conflict do nothing`,
      [channel, binds, now],
    );
  }

  /** Leases a session of the channel that is free at `since`, at most the one of the number `binds`. */
  async acquire(
    channel: string,
    { binds, since, until, worker }: { binds: number; since: Date; until: Date; worker: string },
  ): Promise<SessionLease | undefined> {
    const [row] = await this.db.query<SessionLease>(
      `with free as (
         select channel, slot from channel_sessions where channel = $1 and slot <= $2 and lease_until <= $3
          order by slot limit 1 for update skip locked)
       update channel_sessions s set lease = lease + 1, lease_until = $4, worker = $5, connected_at = null, error = null
         from free where s.channel = free.channel and s.slot = free.slot returning s.channel, s.slot, s.lease`,
      [channel, binds, since, until, worker],
    );
    return row;
  }

  /** Returns those that are still this worker's. */
  async renew(leases: SessionLease[], until: Date): Promise<SessionLease[]> {
    return this.db.query(
      `with locked as (
         select s.channel, s.slot from channel_sessions s
           join unnest($1::text[], $2::smallint[], $3::int[]) g (channel, slot, lease) using (channel, slot, lease)
          order by s.channel, s.slot for update of s)
       update channel_sessions s set lease_until = $4 from locked l where s.channel = l.channel and s.slot = l.slot
       returning s.channel, s.slot, s.lease`,
      [
        leases.map(({ channel }) => channel),
        leases.map(({ slot }) => slot),
        leases.map(({ lease }) => lease),
        until,
      ],
    );
  }

  /** The session is connected since a moment, or is not for a reason. */
  async setState(
    { channel, slot, lease }: SessionLease,
    connectedAt: Date | null,
    error: string | null,
  ): Promise<void> {
    await this.db.query(
      `update channel_sessions set connected_at = $4, error = $5 where channel = $1 and slot = $2 and lease = $3`,
      [channel, slot, lease, connectedAt, error],
    );
  }

  /** Free for others at once. */
  async release({ channel, slot, lease }: SessionLease, now: Date): Promise<void> {
    await this.db.query(
      `update channel_sessions set lease_until = $4, worker = null, connected_at = null, error = null
        where channel = $1 and slot = $2 and lease = $3`,
      [channel, slot, lease, now],
    );
  }

  /** Whether a worker has the channel connected. */
  async isConnected(channel: string, now: Date): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from channel_sessions where channel = $1 and connected_at is not null and lease_until > $2 limit 1`,
      [channel, now],
    );
    return rows.length > 0;
  }
}
