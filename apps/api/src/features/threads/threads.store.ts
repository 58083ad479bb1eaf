import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

export interface ThreadEntry {
  id: string;
  kind: 'incoming' | 'sending' | 'note';
}

/** The messages of an account with a person, in both directions, and the notes beside them. */
@Injectable()
export class ThreadsStore {
  constructor(private readonly db: Db) {}

  /** The entries before `cursor`, newest first: `limit` of each kind are read along their indexes and merged. */
  page(
    { id, OwnerId, address }: { id: string; OwnerId: string; address: string },
    {
      cursor,
      limit,
      withSendings,
      withNotes,
    }: { cursor?: string; limit: number; withSendings: boolean; withNotes: boolean },
  ): Promise<ThreadEntry[]> {
    const values: unknown[] = [OwnerId, address, limit];
    const before = cursor ? `and id < $${values.push(cursor)}` : '';
    const newest = `${before} order by id desc limit $3`;
    const incoming = `(select id, 'incoming' as kind from sendings_incoming where owner_id = $1 and "from" = $2 ${newest})`;
    const sent = `(select id, 'sending' as kind from sendings where owner_id = $1 and phone = $2 ${newest})`;
    const parts = [incoming];
    if (withSendings) parts.push(sent);
    if (withNotes)
      parts.push(
        `(select id, 'note' as kind from conversation_notes where conversation_id = $${values.push(id)} ${newest})`,
      );
    return this.db.query<ThreadEntry>(
      `select * from (${parts.join(' union all ')}) m order by id desc limit $3`,
      values,
    );
  }
}
