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
  /** May contain variables. */
  text: string;
  /** The inbound rule whose answer it is; null for the confirmation of an opt-out. */
  RuleId: string | null;
  /** The API token that it counts for. */
  tokenId: string | null;
}

/** What became of answers of a rule: `sent`, or the code of a refusal. */
export interface ReplyOutcome {
  OwnerId: string;
  RuleId: string;
  outcome: string;
  count: number;
  addresses: string[];
  /** When the last of them was written. */
  at: Date;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So that two machines do not confirm each other for ever. */
const MAX_CONFIRMATIONS_PER_HOUR = 4;

/** Answers that wait to be sent, written in the transaction in which the incoming message is handled. */
@Injectable()
export class AutoRepliesStore {
  constructor(private readonly db: Db) {}

  /** Drops the confirmation when the person has got several within the hour. */
  async confirm(reply: Omit<AutoReply, 'RuleId'>, now: Date): Promise<void> {
    await this.db.query(
      `insert into auto_replies (id, owner_id, type, sender, address, text, token_id) select $1, $2, $3, $4, $5, $6, $8
        where (select count(*) from auto_replies
                where owner_id = $2 and address = $5 and id >= $7 and rule_id is null) < ${MAX_CONFIRMATIONS_PER_HOUR}`,
      [
        reply.id,
        reply.OwnerId,
        reply.type,
        reply.sender,
        reply.address,
        reply.text,
        uuidFloor(new Date(now.getTime() - HOUR_MS)),
        reply.tokenId,
      ],
    );
  }

  async add(replies: AutoReply[]): Promise<void> {
    const column = <K extends keyof AutoReply>(name: K) => replies.map((reply) => reply[name]);
    await this.db.query(
      `insert into auto_replies (id, owner_id, type, sender, address, text, rule_id, token_id)
       select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::uuid[])`,
      [
        column('id'),
        column('OwnerId'),
        column('type'),
        column('sender'),
        column('address'),
        column('text'),
        column('RuleId'),
        column('tokenId'),
      ],
    );
  }

  /** Answers of rules within a day, by person. */
  async countByPerson(
    OwnerId: string,
    addresses: string[],
    now: Date,
  ): Promise<Map<string, number>> {
    const rows = await this.db.query<{ address: string; count: number }>(
      `select address, count(*)::int as count from auto_replies
        where owner_id = $1 and address = any($2) and id >= $3 and rule_id is not null group by address`,
      [OwnerId, addresses, uuidFloor(new Date(now.getTime() - DAY_MS))],
    );
    return new Map(rows.map(({ address, count }) => [address, count]));
  }

  /** Answers of rules of the account within the hour. */
  async countOfHour(OwnerId: string, now: Date): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(
      `select count(*)::int as count from auto_replies where owner_id = $1 and id >= $2 and rule_id is not null`,
      [OwnerId, uuidFloor(new Date(now.getTime() - HOUR_MS))],
    );
    return row!.count;
  }

  /** The first ones that wait, locked until the transaction ends. */
  next(limit: number): Promise<AutoReply[]> {
    return this.db.query<AutoReply>(
      `select id, owner_id as "OwnerId", type, sender, address, text, rule_id as "RuleId", token_id as "tokenId" from auto_replies
        where done_at is null order by id limit $1 for update skip locked`,
      [limit],
    );
  }

  async finish(results: { id: string; outcome: string }[], now: Date): Promise<void> {
    await this.db.query(
      `update auto_replies a set done_at = $3, outcome = case when rule_id is not null then r.outcome end
         from unnest($1::uuid[], $2::text[]) r(id, outcome) where a.id = r.id`,
      [results.map(({ id }) => id), results.map(({ outcome }) => outcome), now],
    );
  }

  /** Outcomes that are not counted yet. In the transaction that counts them. */
  takeOutcomes(limit: number): Promise<ReplyOutcome[]> {
    return this.db.query<ReplyOutcome>(
      `with taken as (
         select id, outcome from auto_replies where outcome is not null order by id limit $1 for update skip locked
       ), cleared as (
         update auto_replies a set outcome = null from taken t where a.id = t.id
         returning a.id, a.owner_id, a.rule_id, a.address, t.outcome)
       select owner_id as "OwnerId", rule_id as "RuleId", outcome, count(*)::int as count, array_agg(address) as addresses,
              max(uuid_extract_timestamp(id)) as at
         from cleared group by 1, 2, 3`,
      [limit],
    );
  }
}
