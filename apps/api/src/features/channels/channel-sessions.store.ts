import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** A session of a channel, leased by a worker; `lease` is the fencing token. */
export interface SessionLease {
  channel: string;
  slot: number;
  lease: number;
}

interface AcquireRequest {
  binds: number;
  now: Date;
  since: Date;
  until: Date;
  worker: string;
}

interface Wanted {
  isWanted: boolean;
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

  /**
   * Leases a session of the channel that is free at `since`, at most the one of the number `binds`; or one that was given up for this
   * worker. Those for others are left to them for the time of a lease.
   */
  async acquire(
    channel: string,
    { binds, now, since, until, worker }: AcquireRequest,
  ): Promise<SessionLease | undefined> {
    const [row] = await this.db.query<SessionLease>(
      `with free as (
         select channel, slot from channel_sessions where channel = $1 and slot <= $2
            and lease_until <= case when wanted_by = $5 then $6::timestamptz when wanted_by is null then $3::timestamptz else $6::timestamptz - ($4::timestamptz - $6::timestamptz) end
          order by wanted_by = $5 desc nulls last, slot limit 1 for update skip locked)
       update channel_sessions s set lease = lease + 1, lease_until = $4, worker = $5, connected_at = null, error = null, wanted_by = null
         from free where s.channel = free.channel and s.slot = free.slot returning s.channel, s.slot, s.lease`,
      [channel, binds, since, until, worker, now],
    );
    return row;
  }

  /** Asks the worker that has most sessions of the channel for one of them, if it would still have no fewer than this one. */
  async want(channel: string, own: number, worker: string, now: Date): Promise<void> {
    await this.db.query(
      `with held as (
         select slot, count(*) over (partition by worker) as n from channel_sessions where channel = $1 and worker is not null and lease_until > $4),
       wanted as (
         select slot from channel_sessions where channel = $1 and slot = (select slot from held where n >= $2::int + 2 order by n desc, slot desc limit 1)
            and not exists (select 1 from channel_sessions where channel = $1 and wanted_by is not null) for update skip locked)
       update channel_sessions s set wanted_by = $3 from wanted where s.channel = $1 and s.slot = wanted.slot`,
      [channel, own, worker, now],
    );
  }

  /** Returns those that are still this worker's, and whether another asks for them. */
  async renew(leases: SessionLease[], until: Date): Promise<(SessionLease & Wanted)[]> {
    return this.db.query(
      `with locked as (
         select s.channel, s.slot from channel_sessions s
           join unnest($1::text[], $2::smallint[], $3::int[]) g (channel, slot, lease) using (channel, slot, lease)
          order by s.channel, s.slot for update of s)
       update channel_sessions s set lease_until = $4 from locked l where s.channel = l.channel and s.slot = l.slot
       returning s.channel, s.slot, s.lease, s.wanted_by is not null as "isWanted"`,
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
