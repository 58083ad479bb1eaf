import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** A message, or a bulk that has no messages yet. */
export interface Sent {
  id: string;
  /** The bulk that it belongs to. */
  groupId: string | null;
  callbackData: string | null;
}

/** How far back messages of one person, and bulks of an account, are looked through. */
const MOST = 1000;

/** Messages as clients know them that do not keep our ids. */
@Injectable()
export class SentStore {
  constructor(private readonly db: Db) {}

  /** The messages of an account to a phone, the newest first. */
  to(OwnerId: string, phone: string): Promise<Sent[]> {
    return this.db.query<Sent>(
      `select s.id, s.group_id as "groupId", coalesce(s.data->>'callbackData', t.data->'sending'->>'callbackData') as "callbackData"
         from (select id, group_id, data from sendings where owner_id = $1 and phone = $2 order by id desc limit ${MOST}) s
         left join tasks t on t.id = s.group_id order by s.id desc`,
      [OwnerId, phone],
    );
  }

  /** The bulks of an account, whose messages may not exist yet, the newest first. */
  bulks(OwnerId: string): Promise<Sent[]> {
    return this.db.query<Sent>(
      `select id, id as "groupId", data->'sending'->>'callbackData' as "callbackData"
         from tasks where owner_id = $1 order by id desc limit ${MOST}`,
      [OwnerId],
    );
  }
}
