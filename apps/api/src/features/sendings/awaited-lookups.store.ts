import { Injectable } from '@nestjs/common';
import { BATCH_STAGES } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

const { pending } = BATCH_STAGES;
/** Older than any version: the batch is routed again before it is submitted. */
const OUTDATED = -1;

/** A number of an account that is looked up before messages to it are routed. */
export interface AwaitedLookup {
  OwnerId: string;
  phone: string;
  /** The message of the type `hlr`. */
  lookupId: string;
  /** Messages wait no longer. */
  until: Date;
}

/** Whether anything of a batch `b` still waits for a look-up. */
const WAITS = `exists (select 1 from lookup_waits w join sendings s on s.id = w.sending_id
  where w.sending_id between b.first_id and b.last_id and s.batch_id = b.id)`;

/** Look-ups for which messages wait, and which these are. */
@Injectable()
export class AwaitedLookupsStore {
  constructor(private readonly db: Db) {}

  /**
   * Adds look-ups, each number of an account once. Returns the one of each number: another, if it is under way already. All are locked, so
   * that none ends before the messages of this transaction wait for it.
   */
  claim(lookups: AwaitedLookup[]): Promise<AwaitedLookup[]> {
    return this.db.query(
      `insert into awaited_lookups as a (owner_id, phone, lookup_id, until)
       select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::timestamptz[]) g (owner_id, phone, lookup_id, until) order by owner_id, phone
       on conflict (owner_id, phone) do update set until = a.until
       returning owner_id as "OwnerId", phone, lookup_id as "lookupId", until`,
      [
        lookups.map(({ OwnerId }) => OwnerId),
        lookups.map(({ phone }) => phone),
        lookups.map(({ lookupId }) => lookupId),
        lookups.map(({ until }) => until),
      ],
    );
  }

  async remove(lookupIds: string[]): Promise<void> {
    await this.db.query(`delete from awaited_lookups where lookup_id = any($1)`, [lookupIds]);
  }

  /** `dueAt` is when the message would be due without the look-up, `until` when it is. */
  async addWaits(
    waits: { sendingId: string; lookupId: string; dueAt: Date; until: Date }[],
  ): Promise<void> {
    await this.db.query(
      `insert into lookup_waits (sending_id, lookup_id, due_at, until)
       select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[])`,
      [
        waits.map(({ sendingId }) => sendingId),
        waits.map(({ lookupId }) => lookupId),
        waits.map(({ dueAt }) => dueAt),
        waits.map(({ until }) => until),
      ],
    );
  }

  /**
   * Ends look-ups. Batches that wait for no other are routed again, and due when they would be without. Returns how many. What a worker
   * has leased meanwhile, or may be at a carrier, stays as it is; batches are locked, so that of look-ups that end at the same moment the
   * last one releases them.
   */
  async end(lookupIds: string[]): Promise<number> {
    const ended = await this.db.query(
      `select 1 from awaited_lookups where lookup_id = any($1) order by owner_id, phone for update`,
      [lookupIds],
    );
    if (!ended.length) return 0;
    const waiting = await this.db.query<{ id: string; dueAt: Date; until: Date }>(
      `select b.id, g.due_at as "dueAt", g.until from (
         select s.batch_id, max(w.due_at) as due_at, max(w.until) as until
           from lookup_waits w join sendings s on s.id = w.sending_id where w.lookup_id = any($1) group by s.batch_id) g
         join batches b on b.id = g.batch_id
        where b.stage = ${pending} and b.unknown_outcomes = 0 order by b.id for update of b`,
      [lookupIds],
    );
    await this.remove(lookupIds);
    if (!waiting.length) return 0;
    return this.db.execute(
      `update batches b set route_version = ${OUTDATED}, updated_at = (select change_time()),
              due_at = case when b.due_at <= g.until then least(b.due_at, g.due_at) else b.due_at end
         from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) g (id, due_at, until)
        where b.id = g.id and b.stage = ${pending} and not ${WAITS}`,
      [
        waiting.map(({ id }) => id),
        waiting.map(({ dueAt }) => dueAt),
        waiting.map(({ until }) => until),
      ],
    );
  }

  /** Those for which nothing waits any more since then, though their messages have not ended. Returns how many. */
  deleteBefore(before: Date, limit: number): Promise<number> {
    return this.db.execute(
      `delete from awaited_lookups where lookup_id in (
         select lookup_id from awaited_lookups where until < $1 order by until limit ${limit} for update skip locked)`,
      [before],
    );
  }
}
