import { Injectable } from '@nestjs/common';
import { OUTCOME_CODES, STATUS_CODES, type OtpChannelType } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../../core/auth/actor.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { replaceExpired } from '../../../core/http/idempotency-keys.store.ts';
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
  isTest: boolean;
  widgetId: string;
  phone: string;
  network: string | null;
  prefix: string;
  steps: OtpStep[];
  createdAt: Date;
}
type SessionRound = Pick<OtpSession, 'id' | 'round'>;
/** A code that was entered. */
export interface Guess {
  session: SessionRound;
  maxTries: number;
}
/** A session that its channel confirms. */
export interface Confirmation {
  session: SessionRound;
  type: OtpChannelType;
}
/** Names the start of a session, so that a repeated one finds it. */
export interface SessionKey {
  OwnerId: string;
  key: string;
  /** Of what it must be repeated with. */
  hash: string;
  /** The session. */
  id: string;
}
/** A session that has ended, for its event. */
export interface EndedSession {
  id: string;
  OwnerId: string;
  isTest: boolean;
  widgetId: string;
  phone: string;
  chainId: string | null;
  confirmedBy: string | null;
  /** The channel that confirmed it, or the first one of its last round. */
  type: OtpChannelType;
}

const { open, confirmed, completed, failed } = SESSION_STATES;
const ENDED = `id, owner_id as "OwnerId", is_test as "isTest", widget_id as "widgetId", phone, chain_id as "chainId", confirmed_by as "confirmedBy",
    coalesce(confirmed_by, steps->first_step->>'type') as type`;
/** Locks sessions, in the order of their ids, that are still in the round in which they were read; each with a value. */
const lockedRounds = (name: string, type: string) => `locked as (
    select o.id as session_id, r.${name} from unnest($1::uuid[], $2::smallint[], $3::${type}[]) as r(id, round, ${name})
      join otp_sessions o on o.id = r.id and o.round = r.round order by o.id for update of o)`;
const byteaArray = (values: (Buffer | null)[]): string =>
  `{${values.map((value) => (value ? `"\\\\x${value.toString('hex')}"` : 'NULL')).join(',')}}`;
/** Among the keys of other calls. */
const KEY_ROUTE = 'POST /n/otp-handler';
const keyColumns = (keys: SessionKey[]) => [
  keys.map(({ OwnerId }) => OwnerId),
  keys.map(({ key }) => key),
];
/** Sessions of a number that are looked at, and how far back. */
const RECENT = 20;

/** The current attempt of a chain, which is the last one. */
const SESSION = `select o.id, o.owner_id as "OwnerId", o.is_test as "isTest", o.widget_id as "widgetId", w.ip_whitelist as "ipWhitelist", o.phone, o.network, o.state,
    o.reason,
    o.steps, o.chain_id as "chainId", o.first_step as "firstStep", o.round, o.restarts, o.code_hashes as "codeHashes", o.tries,
    o.resend_at as "resendAt", o.expires_at as "expiresAt", o.polled, coalesce(a.attempt, 0) as attempt,
    coalesce(a.status, ${STATUS_CODES.failed}) as status, a.submitted_at as "submittedAt",
    coalesce(a.outcome, ${OUTCOME_CODES.failed}) = ${OUTCOME_CODES.failed} and a.outcome is not null as "isFailed"
  from otp_sessions o join otp_widgets w on w.id = o.widget_id
  left join lateral (
    select s.attempt, coalesce(s.status, stage_status(b.stage)) as status, coalesce(b.submitted_at, s.sent_at) as submitted_at,
           (select f.outcome from sendings f where f.id = o.chain_id) as outcome
      from (select id, attempt, status, sent_at, batch_id from sendings where id = o.chain_id
            union all
            select id, attempt, status, sent_at, batch_id from sendings where chain_id = o.chain_id) s
      join batches b on b.id = s.batch_id order by s.attempt desc limit 1) a on true`;

@Injectable()
export class OtpSessionsStore {
  constructor(
    private readonly db: Db,
    private readonly config: Config,
  ) {}

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

  async insert(sessions: NewSession[]): Promise<void> {
    const column = (value: (session: NewSession) => unknown) => sessions.map(value);
    await this.db.query(
      `insert into otp_sessions (id, owner_id, widget_id, phone, network, prefix, steps, chain_id, first_step, restarts, code_hashes, resend_at,
                                 created_at, expires_at, is_test, sent_by)
       select id, owner_id, widget_id, phone, network, prefix, steps, chain_id, first_step, array_fill(0, array[jsonb_array_length(steps)]),
              code_hashes::bytea[], resend_at, created_at, expires_at, is_test, jsonb_build_object(steps->first_step->>'type', 1)
         from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::uuid[], $9::smallint[],
                     $10::text[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[], $14::boolean[])
           as s(id, owner_id, widget_id, phone, network, prefix, steps, chain_id, first_step, code_hashes, resend_at, created_at, expires_at,
                is_test)`,
      [
        column((s) => s.id),
        column((s) => s.OwnerId),
        column((s) => s.widgetId),
        column((s) => s.phone),
        column((s) => s.network),
        column((s) => s.prefix),
        column((s) => JSON.stringify(s.steps)),
        column((s) => s.chainId),
        column((s) => s.firstStep),
        column((s) => byteaArray(s.codeHashes)),
        column((s) => s.resendAt),
        column((s) => s.createdAt),
        column((s) => s.expiresAt),
        column((s) => s.isTest),
      ],
    );
  }

  /** Claims the keys that are new or whose lifetime is over, in the transaction that starts their sessions. Returns by key whose session it names. */
  async claimKeys(keys: SessionKey[]): Promise<Map<string, { hash: string; id: string }>> {
    if (!keys.length) return new Map();
    await this.db.query(
      `insert into idempotency_keys (owner_id, route, key, body_hash, status, answer)
       select distinct on (owner_id, key) owner_id, $5, key, hash, 201, jsonb_build_object('requestId', id)
         from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as k(owner_id, key, hash, id) order by owner_id, key
       ${replaceExpired(this.config.RETENTION_IDEMPOTENCY_HOURS)}`,
      [...keyColumns(keys), keys.map(({ hash }) => hash), keys.map(({ id }) => id), KEY_ROUTE],
    );
    const rows = await this.db.query<{ key: string; hash: string; id: string }>(
      `select i.key, i.body_hash as hash, i.answer->>'requestId' as id
         from unnest($1::uuid[], $2::text[]) as k(owner_id, key)
         join idempotency_keys i on i.owner_id = k.owner_id and i.route = $3 and i.key = k.key`,
      [...keyColumns(keys), KEY_ROUTE],
    );
    return new Map(rows.map(({ key, ...stored }) => [key, stored]));
  }

  /** Of starts that were refused. */
  async releaseKeys(keys: SessionKey[]): Promise<void> {
    if (!keys.length) return;
    await this.db.query(
      `delete from idempotency_keys i using unnest($1::uuid[], $2::text[]) as k(owner_id, key)
        where i.owner_id = k.owner_id and i.route = $3 and i.key = k.key`,
      [...keyColumns(keys), KEY_ROUTE],
    );
  }

  /** Whether each number was confirmed since then. */
  async known(numbers: Pick<OtpSession, 'OwnerId' | 'phone'>[], since: Date): Promise<boolean[]> {
    if (!numbers.length) return [];
    const rows = await this.db.query<{ isKnown: boolean }>(
      `select exists (select 1 from otp_sessions o where o.owner_id = n.owner_id and o.phone = n.phone
                        and o.id >= $3 and o.confirmed_at is not null and not o.is_test) as "isKnown"
         from unnest($1::uuid[], $2::text[]) with ordinality as n(owner_id, phone, i) order by n.i`,
      [numbers.map((n) => n.OwnerId), numbers.map((n) => n.phone), uuidFloor(since)],
    );
    return rows.map(({ isKnown }) => isKnown);
  }

  /** Of each number, how many sessions in a row from its network were not confirmed, and when the last one began. */
  async unconfirmed(
    numbers: Pick<OtpSession, 'OwnerId' | 'phone' | 'network'>[],
    since: Date,
  ): Promise<{ count: number; lastAt: Date | null }[]> {
    const rows = await this.db.query<{ n: number; isConfirmed: boolean; at: Date }>(
      `select p.n::int, s.* from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as p(owner_id, phone, network, n), lateral (
         select confirmed_at is not null as "isConfirmed", created_at as at from otp_sessions o
          where o.owner_id = p.owner_id and o.phone = p.phone and o.network is not distinct from p.network and o.id >= $4 and not o.is_test
          order by o.id desc limit ${RECENT}) s`,
      [
        numbers.map(({ OwnerId }) => OwnerId),
        numbers.map(({ phone }) => phone),
        numbers.map(({ network }) => network),
        uuidFloor(since),
      ],
    );
    const byNumber = Map.groupBy(rows, ({ n }) => n);
    return numbers.map((_, i) => {
      const recent = byNumber.get(i + 1) ?? [];
      const last = recent.findIndex((row) => row.isConfirmed);
      return { count: last < 0 ? recent.length : last, lastAt: recent[0]?.at ?? null };
    });
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

  /** Counts codes that are about to be compared, each of another session. Null for those of which no more may be entered in this round. */
  async takeTries(guesses: Guess[], now: Date): Promise<(number | null)[]> {
    const rows = await this.db.query<{ id: string; tries: number }>(
      `with ${lockedRounds('max_tries', 'integer')}
       update otp_sessions o set tries = tries + 1 from locked
        where o.id = session_id and state = ${open} and tries < max_tries and expires_at > $4 returning id, tries`,
      [
        guesses.map(({ session }) => session.id),
        guesses.map(({ session }) => session.round),
        guesses.map(({ maxTries }) => maxTries),
        now,
      ],
    );
    const tries = new Map(rows.map((row) => [row.id, row.tries]));
    return guesses.map(({ session }) => tries.get(session.id) ?? null);
  }

  /** Returns those that were still open, and in the same round. */
  confirm(sessions: Confirmation[], now: Date, expiresAt: Date): Promise<EndedSession[]> {
    return this.db.query(
      `with ${lockedRounds('channel', 'text')}
       update otp_sessions o set state = ${confirmed}, confirmed_at = $4, confirmed_by = channel, expires_at = $5 from locked
        where o.id = session_id and state = ${open} and expires_at > $4 returning ${ENDED}`,
      [
        sessions.map(({ session }) => session.id),
        sessions.map(({ session }) => session.round),
        sessions.map(({ type }) => type),
        now,
        expiresAt,
      ],
    );
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

  /** Counts messages, of which a session may have several of one type. */
  async countSent(messages: Confirmation[]): Promise<void> {
    if (!messages.length) return;
    await this.db.query(
      `with sent as (
         select id, type, count(*)::int as n from unnest($1::uuid[], $2::text[]) as m(id, type) group by id, type
       ), counts as (
         select o.id, jsonb_object_agg(s.type, coalesce((o.sent_by->>s.type)::int, 0) + s.n) as sent_by
           from (select id, sent_by from otp_sessions where id = any($1) order by id for update) o join sent s on s.id = o.id
          group by o.id)
       update otp_sessions o set sent_by = o.sent_by || c.sent_by from counts c where o.id = c.id`,
      [messages.map(({ session }) => session.id), messages.map(({ type }) => type)],
    );
  }

  /** The API token that has requested a chain; its further rounds count for it, too. */
  async tokenOf(chainId: string): Promise<string | null> {
    const [row] = await this.db.query<{ tokenId: string | null }>(
      `select (b.plan->>'tokenId')::uuid as "tokenId" from sendings s join batches b on b.id = s.batch_id where s.id = $1`,
      [chainId],
    );
    return row?.tokenId ?? null;
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
