import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';
import { uuidFloor } from '../../core/uuid.ts';

/** An answer of the platform to an incoming message. */
export interface AutoReply {
  id: string;
  OwnerId: string;
  /** The stored integer of the type. */
  type: number;
  sender: string;
  address: string;
  text: string;
}

const HOUR_MS = 3_600_000;
/** So that two machines do not answer each other for ever. */
const MAX_PER_HOUR = 4;

/** Answers that wait to be sent, written in the transaction of the incoming message. */
@Injectable()
export class AutoRepliesStore {
  constructor(private readonly db: Db) {}

  /** Drops the answer when the person has got several within the hour. */
  async add(reply: AutoReply, now: Date): Promise<void> {
    await this.db.query(
      `insert into auto_replies (id, owner_id, type, sender, address, text) select $1, $2, $3, $4, $5, $6
        where (select count(*) from auto_replies where owner_id = $2 and address = $5 and id >= $7) < ${MAX_PER_HOUR}`,
      [
        reply.id,
        reply.OwnerId,
        reply.type,
        reply.sender,
        reply.address,
        reply.text,
        uuidFloor(new Date(now.getTime() - HOUR_MS)),
      ],
    );
  }

  /** The first one that waits, locked until the transaction ends. */
  async next(): Promise<AutoReply | undefined> {
    const [row] = await this.db.query<AutoReply>(
      `select id, owner_id as "OwnerId", type, sender, address, text from auto_replies
        where done_at is null order by id limit 1 for update skip locked`,
    );
    return row;
  }

  async finish(id: string, now: Date): Promise<void> {
    await this.db.query(`update auto_replies set done_at = $2 where id = $1`, [id, now]);
  }
}
