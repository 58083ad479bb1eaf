import { Injectable } from '@nestjs/common';
import { BATCH_STAGES, type TrafficGroup } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import { BATCH, type LeasedBatch } from './dispatch.store.ts';

const { pending } = BATCH_STAGES;
const MAX_BATCHES = 1000;
/** About so many are compared at once: batches of a stretched task have one message each. */
const MAX_MESSAGES = 10_000;

/** A batch that waits for the end of quiet hours. */
export interface PostponedBatch extends LeasedBatch {
  dueAt: Date;
  postponedFrom: Date;
}
export interface PostponedRow {
  id: string;
  batchId: string;
  OwnerId: string;
  groupId: string | null;
  phone: string;
  group: TrafficGroup | null;
  isExempt: boolean;
}

@Injectable()
export class QuietReleasesStore {
  constructor(private readonly db: Db) {}

  /** Ids of the open batches after the cursor: those of the account, and singles of several ones. */
  async page(OwnerId: string, cursor: string): Promise<string[]> {
    const open = (owner: string) =>
      `(select id, size from batches where owner_id ${owner} and closed_at is null and id > $2 order by id limit ${MAX_BATCHES})`;
    const rows = await this.db.query<{ id: string }>(
      `select id from (
         select id, sum(size) over (order by id) - size as before
           from (${open('= $1')} union all ${open('is null')} order by id limit ${MAX_BATCHES}) o) o
        where before < ${MAX_MESSAGES} order by id`,
      [OwnerId, cursor],
    );
    return rows.map(({ id }) => id);
  }

  /** Those that wait, locked until the transaction ends. A batch that is locked is being dropped. */
  lockPostponed(ids: string[], now: Date): Promise<PostponedBatch[]> {
    return this.db.query<PostponedBatch>(
      `select ${BATCH}, b.due_at as "dueAt", b.postponed_from as "postponedFrom" from batches b
        where b.id = any($1) and b.stage = ${pending} and b.postponed_from is not null and b.due_at > $2
        order by b.id for update of b skip locked`,
      [ids, now],
    );
  }

  rows(ids: string[]): Promise<PostponedRow[]> {
    return this.db.query<PostponedRow>(
      `select s.id, s.batch_id as "batchId", s.owner_id as "OwnerId", s.group_id as "groupId", s.phone, s.data->>'group' as group,
              coalesce((s.data->>'isExempt')::boolean, false) as "isExempt"
         from batches b cross join lateral (
           select * from sendings s where s.id between b.first_id and b.last_id and s.batch_id = b.id and s.status is null offset 0) s
        where b.id = any($1)`,
      [ids],
    );
  }

  /** Whole batches that are due earlier. */
  async bringForward(moves: { id: string; dueAt: Date }[]): Promise<void> {
    await this.db.query(
      `update batches b set due_at = m.due_at, updated_at = (select change_time()) from unnest($1::bigint[], $2::timestamptz[]) m (id, due_at) where b.id = m.id`,
      [moves.map(({ id }) => id), moves.map(({ dueAt }) => dueAt)],
    );
  }
}
