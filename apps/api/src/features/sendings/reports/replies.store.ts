import { Injectable } from '@nestjs/common';
import { REPLY_WINDOW_SECONDS } from '@heliograph/domain';
import { SYSTEM_OWNER } from '../../../core/auth/actor.ts';
import { isTestSql } from '../../../core/auth/test-tokens.ts';
import { Db } from '../../../core/db/db.ts';

/** A phone may have had any number of messages of an account, such as that of a monitoring: a reply is to one of the newest. */
const MAX_CANDIDATES = 1000;

export interface RepliedSending {
  id: string;
  OwnerId: string;
  sender: string;
  phone: string;
}

/** Finds the sending that an incoming message replies to. */
@Injectable()
export class RepliesStore {
  constructor(private readonly db: Db) {}

  async sendings(
    ids: string[],
  ): Promise<Map<string, RepliedSending & { type: number; isTest: boolean }>> {
    const rows = await this.db.query<RepliedSending & { type: number; isTest: boolean }>(
      `select id, owner_id as "OwnerId", sender, phone, type, ${isTestSql('s.token_id')} as "isTest" from sendings s where id = any($1)`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** For each phone, the last sending to it over a channel within the reply window. */
  async lastOver(
    channel: string,
    phones: string[],
    now: Date,
  ): Promise<((RepliedSending & { type: number }) | undefined)[]> {
    const rows = await this.db.query<RepliedSending & { type: number; n: number }>(
      `select m.n::int, found.* from unnest($1::text[]) with ordinality m (phone, n) cross join lateral (
         select s.id, s.owner_id as "OwnerId", s.sender, s.phone, s.type
           from (select * from sendings where phone = m.phone and owner_id <> '${SYSTEM_OWNER}' order by id desc limit ${MAX_CANDIDATES}) s
           join batches b on b.id = s.batch_id
          where b.channel = $2
            and coalesce(b.submitted_at, s.sent_at) between $3::timestamptz - ${REPLY_WINDOW_SECONDS} * interval '1 second' and $3
          order by s.id desc limit 1) found`,
      [phones, channel, now],
    );
    const byPhone = new Map(rows.map(({ n, ...sending }) => [n, sending]));
    return phones.map((_, i) => byPhone.get(i + 1));
  }

  /**
   * For each message, the last sending of its type from a sender to a phone within the reply window; of one account, or of any when
   * `OwnerId` is null. Carriers write senders that are numbers with a plus or without.
   */
  async lastSendings(
    messages: { type: number; sender: string; phone: string }[],
    OwnerId: string | null,
    now: Date,
  ): Promise<(RepliedSending | undefined)[]> {
    const newest = `select * from sendings where phone = m.phone and owner_id ${OwnerId ? '= $5' : `<> '${SYSTEM_OWNER}'`} order by id desc limit ${MAX_CANDIDATES}`;
    const rows = await this.db.query<RepliedSending & { n: number }>(
      `select m.n::int, found.* from unnest($1::text[], $2::smallint[], $3::text[]) with ordinality m (phone, type, sender, n) cross join lateral (
         select s.id, s.owner_id as "OwnerId", s.sender, s.phone
           from (${newest}) s
           join batches b on b.id = s.batch_id
          where s.type = m.type and lower(ltrim(s.sender, '+')) = lower(ltrim(m.sender, '+'))
            and coalesce(b.submitted_at, s.sent_at) between $4::timestamptz - ${REPLY_WINDOW_SECONDS} * interval '1 second' and $4
          order by s.id desc limit 1) found`,
      [
        messages.map(({ phone }) => phone),
        messages.map(({ type }) => type),
        messages.map(({ sender }) => sender),
        now,
        ...(OwnerId ? [OwnerId] : []),
      ],
    );
    const byMessage = new Map(rows.map(({ n, ...sending }) => [n, sending]));
    return messages.map((_, i) => byMessage.get(i + 1));
  }
}
