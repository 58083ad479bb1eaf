import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

export interface ThreadEntry {
  id: string;
  isIncoming: boolean;
}

/** The messages of an account with a person, in both directions. */
@Injectable()
export class ThreadsStore {
  constructor(private readonly db: Db) {}

  /** The messages before `cursor`, newest first: `limit` of each direction are read along their indexes and merged. */
  page(
    { OwnerId, address }: { OwnerId: string; address: string },
    { cursor, limit, withSendings }: { cursor?: string; limit: number; withSendings: boolean },
  ): Promise<ThreadEntry[]> {
    const values: unknown[] = [OwnerId, address, limit];
    const before = cursor ? `and id < $${values.push(cursor)}` : '';
    const newest = `${before} order by id desc limit $3`;
    const incoming = `(select id, true as "isIncoming" from sendings_incoming where owner_id = $1 and "from" = $2 ${newest})`;
    const sent = `(select id, false as "isIncoming" from sendings where owner_id = $1 and phone = $2 ${newest})`;
    return this.db.query<ThreadEntry>(
      `select * from (${withSendings ? `${incoming} union all ${sent}` : incoming}) m order by id desc limit $3`,
      values,
    );
  }
}
