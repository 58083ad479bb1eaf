import { Injectable } from '@nestjs/common';
import type { NumberLookup } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';

export interface EventSending {
  id: string;
  chainId: string;
  groupId: string | null;
  type: number;
  phone: string;
  sender: string;
  segments: number;
  amount: string;
  callbackData: string | null;
  lookup: NumberLookup | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  seenAt: Date | null;
}

@Injectable()
export class StatusEventsStore {
  constructor(private readonly db: Db) {}

  /**
   * Those of the sendings whose status is still that of their batch. Locked, so that the event of a report that arrives now
   * follows that of the batch.
   */
  async lockUnreported(ids: string[]): Promise<Set<string>> {
    const rows = await this.db.query<{ id: string }>(
      `select id from sendings where id = any($1) and status is null order by id for no key update`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  byIds(OwnerId: string, ids: string[]): Promise<EventSending[]> {
    return this.db.query<EventSending>(
      `select s.id, coalesce(s.chain_id, s.id) as "chainId", s.group_id as "groupId", s.type, s.phone, s.sender, s.segments, s.amount::text as amount,
              coalesce(s.data->>'callbackData', t.data->'sending'->>'callbackData', b.plan->>'callbackData') as "callbackData",
              s.data->'lookup' as lookup, coalesce(s.sent_at, b.submitted_at) as "sentAt", s.delivered_at as "deliveredAt", s.seen_at as "seenAt"
         from sendings s join batches b on b.id = s.batch_id left join tasks t on t.id = b.task_id
        where s.owner_id = $1 and s.id = any($2)`,
      [OwnerId, ids],
    );
  }
}
