import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';
import type { AddedBy } from './incoming.ts';

export type Queued = AddedBy & { id: string };

const MAX_TRIES = 5;
const OLDEST_ROWS = 1000;

/** Messages that wait for the rules of their account; written with the message. */
@Injectable()
export class IncomingQueueStore {
  constructor(private readonly db: Db) {}

  /** Accounts of the messages that have waited longest. */
  async owners(): Promise<string[]> {
    const rows = await this.db.query<{ OwnerId: string }>(
      `select distinct owner_id as "OwnerId" from (select owner_id from incoming_queue order by id limit ${OLDEST_ROWS}) q`,
    );
    return rows.map(({ OwnerId }) => OwnerId);
  }

  /** Removes the first messages of an account, those that have failed last. */
  take(OwnerId: string, limit: number): Promise<Queued[]> {
    return this.db.query<Queued>(
      `with taken as (
         delete from incoming_queue where id in (
           select id from incoming_queue where owner_id = $1 order by tries, id limit $2 for update skip locked)
         returning id, token_id as "tokenId", allowed)
       select * from taken`,
      [OwnerId, limit],
    );
  }

  /** Counts a failure of the first message. False if it was the last try, which removes the message. */
  async postpone(OwnerId: string): Promise<boolean> {
    const [row] = await this.db.query<{ tries: number }>(
      `with tried as (
         update incoming_queue set tries = tries + 1 where id = (
           select id from incoming_queue where owner_id = $1 order by tries, id limit 1) returning id, tries)
       select tries from tried`,
      [OwnerId],
    );
    if (!row || row.tries < MAX_TRIES) return true;
    await this.db.query(`delete from incoming_queue where owner_id = $1 and tries >= $2`, [
      OwnerId,
      MAX_TRIES,
    ]);
    return false;
  }
}
