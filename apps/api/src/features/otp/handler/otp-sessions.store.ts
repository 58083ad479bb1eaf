import { Injectable } from '@nestjs/common';
import { OUTCOME_CODES, STATUS_CODES, type OtpChannelType } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../../core/auth/actor.ts';
import { Db } from '../../../core/db/db.ts';
import { uuidFloor } from '../../../core/uuid.ts';
import { SESSION_STATES, type OtpSession, type OtpStep } from './otp-session.ts';

export interface NewRound {
  chainId: string;
  firstStep: number;
  codeHashes: (Buffer | null)[];
  resendAt: Date;
  expiresAt: Date;
}
export interface NewSession extends NewRound {
  id: string;
  OwnerId: string;
  widgetId: string;
  phone: string;
  prefix: string;
  steps: OtpStep[];
  createdAt: Date;
}
/** A session that has ended, for its event. */
export interface EndedSession {
  id: string;
  OwnerId: string;
  widgetId: string;
  chainId: string | null;
  confirmedBy: string | null;
  /** The channel that confirmed it, or the first one of its last round. */
  type: OtpChannelType;
}

const { open, confirmed, completed, failed } = SESSION_STATES;
const ENDED = `id, owner_id as "OwnerId", widget_id as "widgetId", chain_id as "chainId", confirmed_by as "confirmedBy",
    coalesce(confirmed_by, steps->first_step->>'type') as type`;
/** Sessions of a number that are looked at, and how far back. */
const RECENT = 20;

/** The current attempt of a chain, which is the last one. */
const SESSION = `select o.id, o.owner_id as "OwnerId", o.widget_id as "widgetId", w.ip_whitelist as "ipWhitelist", o.phone, o.state, o.reason,
    o.steps, o.chain_id as "chainId", o.first_step as "firstStep", o.round, o.restarts, o.code_hashes as "codeHashes", o.tries,
    o.resend_at as "resendAt", o.expires_at as "expiresAt", o.polled, coalesce(a.attempt, 0) as attempt,
    coalesce(a.status, ${STATUS_CODES.failed}) as status, a.submitted_at as "submittedAt",
    coalesce(a.outcome, ${OUTCOME_CODES.failed}) = ${OUTCOME_CODES.failed} and a.outcome is not null as "isFailed"
  from otp_sessions o join otp_widgets w on w.id = o.widget_id
  left join lateral (
    select s.attempt, coalesce(s.status, stage_status(b.stage)) as status, coalesce(s.sent_at, b.submitted_at) as submitted_at,
           (select f.outcome from sendings f where f.id = o.chain_id) as outcome
      from (select id, attempt, status, sent_at, batch_id from sendings where id = o.chain_id
            union all
            select id, attempt, status, sent_at, batch_id from sendings where chain_id = o.chain_id) s
      join batches b on b.id = s.batch_id order by s.attempt desc limit 1) a on true`;

@Injectable()
export class OtpSessionsStore {
  constructor(private readonly db: Db) {}

  async find(id: string, scope: AccessScope): Promise<OtpSession | null> {
    const values: unknown[] = [id];
    const within = scopeSql(scope, 'o.owner_id', (value) => `$${values.push(value)}`);
    const [row] = await this.db.query<OtpSession>(
      `${SESSION} where o.id = $1 and ${within}`,
      values,
    );
    return row ?? null;
  }

  byIds(ids: string[]): Promise<OtpSession[]> {
    return this.db.query<OtpSession>(`${SESSION} where o.id = any($1)`, [ids]);
  }

  async insert(session: NewSession): Promise<void> {
    await this.db.query(
      `insert into otp_sessions (id, owner_id, widget_id, phone, prefix, steps, chain_id, first_step, restarts, code_hashes, resend_at,
                                 created_at, expires_at, sent_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, jsonb_build_object($14::text, 1))`,
      [
        session.id,
        session.OwnerId,
        session.widgetId,
        session.phone,
        session.prefix,
        JSON.stringify(session.steps),
        session.chainId,
        session.firstStep,
        session.steps.map(() => 0),
        session.codeHashes,
        session.resendAt,
        session.createdAt,
        session.expiresAt,
        session.steps[session.firstStep]!.type,
      ],
    );
  }

  /** How many sessions of a number in a row were not confirmed, and when the last one began. */
  async unconfirmed(
    OwnerId: string,
    phone: string,
    since: Date,
  ): Promise<{ count: number; lastAt: Date | null }> {
    const rows = await this.db.query<{ isConfirmed: boolean; at: Date }>(
      `select confirmed_at is not null as "isConfirmed", created_at as at from otp_sessions
        where owner_id = $1 and phone = $2 and id >= $3 order by id desc limit ${RECENT}`,
      [OwnerId, phone, uuidFloor(since)],
    );
    const last = rows.findIndex((row) => row.isConfirmed);
    return { count: last < 0 ? rows.length : last, lastAt: rows[0]?.at ?? null };
  }

  /** Locks an open session whose round is still this one; false if it is not. */
  async lockRound(id: string, round: number): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from otp_sessions where id = $1 and round = $2 and state = ${open} for update`,
      [id, round],
    );
    return rows.length > 0;
  }

  async startRound(
    id: string,
    { chainId, firstStep, codeHashes, resendAt, expiresAt }: NewRound,
    { restarted, type }: { restarted: number | null; type: string },
  ): Promise<void> {
    await this.db.query(
      `update otp_sessions set chain_id = $2, first_step = $3, code_hashes = $4, resend_at = $5, expires_at = $6,
              round = round + 1, tries = 0, polled = null,
              restarts = case when $7::int is null then restarts
                              else restarts[:$7::int] || (restarts[$7::int + 1] + 1)::smallint || restarts[$7::int + 2:] end,
              sent_by = sent_by || jsonb_build_object($8::text, coalesce((sent_by->>$8)::int, 0) + 1)
        where id = $1`,
      [id, chainId, firstStep, codeHashes, resendAt, expiresAt, restarted, type],
    );
  }

  /** Counts a code that is about to be compared. Null if no more may be entered in this round. */
  async takeTry(
    { id, round }: Pick<OtpSession, 'id' | 'round'>,
    limit: number,
    now: Date,
  ): Promise<number | null> {
    const [row] = await this.db.query<{ tries: number }>(
      `update otp_sessions set tries = tries + 1
        where id = $1 and round = $2 and state = ${open} and tries < $3 and expires_at > $4 returning tries`,
      [id, round, limit, now],
    );
    return row?.tries ?? null;
  }

  /** Null if it is not open any more, or another round began. */
  async confirm(
    { id, round }: Pick<OtpSession, 'id' | 'round'>,
    { type, now, expiresAt }: { type: string; now: Date; expiresAt: Date },
  ): Promise<EndedSession | null> {
    const [row] = await this.db.query<EndedSession>(
      `update otp_sessions set state = ${confirmed}, confirmed_at = $4, confirmed_by = $3, expires_at = $5
        where id = $1 and round = $2 and state = ${open} and expires_at > $4 returning ${ENDED}`,
      [id, round, type, now, expiresAt],
    );
    return row ?? null;
  }

  /** Closes a confirmed session of this number. Only one of several concurrent calls succeeds. */
  async complete(id: string, phone: string, now: Date): Promise<boolean> {
    const changed = await this.db.execute(
      `update otp_sessions set state = ${completed} where id = $1 and phone = $2 and state = ${confirmed} and expires_at > $3`,
      [id, phone, now],
    );
    return changed > 0;
  }

  /** Closes a session in any state. The row is returned if it fails by that. */
  async close(id: string, reason: string): Promise<EndedSession | null> {
    const [row] = await this.db.query<EndedSession & { wasOpen: boolean }>(
      `update otp_sessions set state = case when state = ${open} then ${failed} when state = ${confirmed} then ${completed} else state end,
              reason = case when state = ${open} then $2 else reason end
        where id = $1 returning ${ENDED}, old.state = ${open} as "wasOpen"`,
      [id, reason],
    );
    return row?.wasOpen ? row : null;
  }

  /** Fails sessions whose time is over. */
  expire(now: Date, limit: number): Promise<EndedSession[]> {
    return this.db.query(
      `update otp_sessions set state = ${failed}, reason = 'expired' where id in (
         select id from otp_sessions where state = ${open} and expires_at <= $1 order by expires_at limit ${limit} for update skip locked)
       returning ${ENDED}`,
      [now],
    );
  }

  /** The open sessions of chains. */
  ofChains(chainIds: string[]): Promise<(EndedSession & { round: number })[]> {
    return this.db.query(
      `select ${ENDED}, round from otp_sessions where chain_id = any($1) and state = ${open} order by id`,
      [chainIds],
    );
  }

  async countSent(id: string, type: string): Promise<void> {
    await this.db.query(
      `update otp_sessions set sent_by = sent_by || jsonb_build_object($2::text, coalesce((sent_by->>$2)::int, 0) + 1) where id = $1`,
      [id, type],
    );
  }

  async setPolled(id: string, version: string): Promise<void> {
    await this.db.query(`update otp_sessions set polled = $2 where id = $1`, [id, version]);
  }

  async phonesOf(OwnerId: string, ids: string[]): Promise<Map<string, string>> {
    const rows = await this.db.query<{ id: string; phone: string }>(
      `select id, phone from otp_sessions where owner_id = $1 and id = any($2)`,
      [OwnerId, ids],
    );
    return new Map(rows.map(({ id, phone }) => [id, phone]));
  }
}
