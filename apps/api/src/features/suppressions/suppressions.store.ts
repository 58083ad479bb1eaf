import { Injectable } from '@nestjs/common';
import type { suppressions } from '@heliograph/contract';
import {
  cutText,
  normalizePhone,
  OWN_REASONS,
  SPIKE_DAYS,
  SPIKE_MIN,
  STATUS_CODES,
  typeCode,
  type SuppressionReason,
} from '@heliograph/domain';
import { SYSTEM_OWNER } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { equals, idTime, type ListSql } from '../../core/db/find-page.ts';
import { trunkStart } from '../../core/db/search.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { ALL_TYPES, Suppression } from './suppression.entity.ts';

type Query = In<typeof suppressions.find>['query'];
type NewSuppression = Pick<
  Suppression,
  'id' | 'OwnerId' | 'address' | 'type' | 'reason' | 'note' | 'SendingId'
>;

const DAY_MS = 86_400_000;

export const SUPPRESSIONS_QUOTA: Quota = {
  name: 'suppressions',
  limit: (config) => config.QUOTA_SUPPRESSIONS,
  used: countOf('suppressions'),
};

/** A message to a person, as far as an opt-out depends on it. */
export interface Addressed {
  OwnerId: string;
  address: string;
  /** The stored integer of the type. */
  type: number;
}

/** The recipient of a message, and why a carrier wants no more to be sent to it. */
export interface RecipientSuppression {
  SendingId: string;
  reason: SuppressionReason;
  note: string | null;
}

/** Of the note of an entry, as an account may write it. */
const MAX_NOTE = 200;
/** The last messages to a person, by which it is told how the account writes to them. */
const MAX_MESSAGES = 500;
const { sent, delivered, seen } = STATUS_CODES;

@Injectable()
export class SuppressionsStore extends Store<Suppression, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 's.id' },
    cursor: 's.id',
    filter: {
      OwnerId: equals('s.owner_id'),
      reason: equals('s.reason'),
      type: (types, bind) =>
        equals('s.type')(
          types.map((type) => (type === 'all' ? ALL_TYPES : typeCode(type))),
          bind,
        ),
    },
    range: { createdAt: idTime('s.id') },
    search: (text, bind, country) => {
      const beginning = text.replace(/[\\%_]/g, '\\$&').toLowerCase();
      const starts = [beginning, trunkStart(text) ?? []].flat();
      const found = `(${starts.map((s) => `s.address like ${bind(`${s}%`)}`).join(' or ')})`;
      const phone = normalizePhone(text, country);
      return phone ? `(${found} or s.address = ${bind(phone)})` : found;
    },
  };

  constructor(db: Db) {
    super(db, Suppression, 's');
  }

  /** Adds an opt-out unless it exists. Undefined then. */
  async add(row: NewSuppression): Promise<Suppression | undefined> {
    const [added] = await this.addAll(row, [row], () => row.id);
    return added && { ...row, id: added.id };
  }

  /** Adds those that do not exist, of one account and reason. */
  addAll(
    { OwnerId, reason, note, SendingId }: Omit<NewSuppression, 'id' | 'address' | 'type'>,
    people: readonly Pick<NewSuppression, 'address' | 'type'>[],
    newId: () => string,
  ): Promise<{ id: string }[]> {
    const sorted = people.toSorted((a, b) =>
      a.address === b.address ? a.type - b.type : a.address < b.address ? -1 : 1,
    );
    return this.db.query(
      `insert into suppressions (id, owner_id, address, type, reason, note, sending_id)
       select a.id, $1, a.address, a.type, $2, $3, $4 from unnest($5::uuid[], $6::text[], $7::smallint[]) as a(id, address, type)
       on conflict (owner_id, address, type) do nothing returning id`,
      [
        OwnerId,
        reason,
        note,
        SendingId,
        sorted.map(newId),
        sorted.map(({ address }) => address),
        sorted.map(({ type }) => type),
      ],
    );
  }

  /** Adds the recipients of messages, in the order that keeps concurrent calls from waiting for each other. */
  addRecipients(
    asked: readonly RecipientSuppression[],
    newId: () => string,
  ): Promise<{ id: string; OwnerId: string }[]> {
    return this.db.query(
      `insert into suppressions (id, owner_id, address, type, reason, note, sending_id)
       select a.id, s.owner_id, s.phone, s.type, a.reason, a.note, s.id
         from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as a(id, sending_id, reason, note)
         join sendings s on s.id = a.sending_id
        where s.owner_id <> $5 and s.phone ~ '[+@]'
        order by s.owner_id, s.phone, s.type
       on conflict (owner_id, address, type) do nothing returning id, owner_id as "OwnerId"`,
      [
        asked.map(newId),
        asked.map((one) => one.SendingId),
        asked.map((one) => one.reason),
        asked.map((one) => one.note && cutText(one.note, MAX_NOTE)),
        SYSTEM_OWNER,
      ],
    );
  }

  async of({ OwnerId, address, type }: Addressed): Promise<Suppression | undefined> {
    const [row] = await this.db.query<Suppression>(
      `select id, owner_id as "OwnerId", address, type, reason, note, sending_id as "SendingId" from suppressions
        where owner_id = $1 and address = $2 and type = $3`,
      [OwnerId, address, type],
    );
    return row;
  }

  /** Removes what the person has asked for, from these types. Entries of the account stay. */
  withdraw(
    { OwnerId, address }: Pick<Addressed, 'OwnerId' | 'address'>,
    types: readonly number[],
  ): Promise<{ id: string }[]> {
    return this.db.query(
      `delete from suppressions where owner_id = $1 and address = $2 and type = any($3::smallint[]) and reason = any($4) returning id`,
      [OwnerId, address, types, OWN_REASONS],
    );
  }

  /** Choices of one person are stored one after the other. */
  async lockPerson({ OwnerId, address }: Pick<Addressed, 'OwnerId' | 'address'>): Promise<void> {
    await this.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 198))`, [
      `${OwnerId} ${address}`,
    ]);
  }

  /** Entries of one address. */
  entriesOf({
    OwnerId,
    address,
  }: Pick<Addressed, 'OwnerId' | 'address'>): Promise<Pick<Suppression, 'type' | 'reason'>[]> {
    return this.db.query(
      `select type, reason from suppressions where owner_id = $1 and address = $2`,
      [OwnerId, address],
    );
  }

  /** The types of the last messages of the account that were sent to the address. */
  async typesTo({ OwnerId, address }: Pick<Addressed, 'OwnerId' | 'address'>): Promise<number[]> {
    const rows = await this.db.query<{ type: number }>(
      `select distinct m.type from (
         select s.type, coalesce(s.status, stage_status(b.stage)) as status
           from sendings s join batches b on b.id = s.batch_id
          where s.phone = $2 and s.owner_id = $1 order by s.id desc limit ${MAX_MESSAGES}) m
        where m.status in (${sent}, ${delivered}, ${seen})`,
      [OwnerId, address],
    );
    return rows.map(({ type }) => type);
  }

  /** Whether each message is to a person who opted out of it, parallel to `messages`. */
  async areSuppressed(messages: readonly Addressed[]): Promise<boolean[]> {
    const rows = await this.db.query<{ suppressed: boolean }>(
      `select exists (select 1 from suppressions p
                       where p.owner_id = m.owner_id and p.address = m.address and p.type = any(array[${ALL_TYPES}, m.type]::smallint[])) as suppressed
         from unnest($1::uuid[], $2::text[], $3::smallint[]) with ordinality as m(owner_id, address, type, n) order by m.n`,
      [messages.map((m) => m.OwnerId), messages.map((m) => m.address), messages.map((m) => m.type)],
    );
    return rows.map((r) => r.suppressed);
  }

  /** The recipient of a message whose link is followed. Public, so there is no access scope. */
  async recipientOf(
    SendingId: string,
  ): Promise<(Addressed & { sender: string; SendingId: string }) | undefined> {
    const [row] = await this.db.query<Addressed & { sender: string; SendingId: string }>(
      `select id as "SendingId", owner_id as "OwnerId", phone as address, type, sender from sendings where id = $1`,
      [SendingId],
    );
    return row;
  }

  /** Accounts with many people who opted out in the day before `now`, and how many did in the week before that. */
  spikes(now: Date): Promise<{ OwnerId: string; today: number; before: number }[]> {
    const day = uuidFloor(new Date(now.getTime() - DAY_MS));
    const week = uuidFloor(new Date(now.getTime() - (SPIKE_DAYS + 1) * DAY_MS));
    return this.db.query(
      `select t.owner_id as "OwnerId", t.n as today,
              (select count(distinct b.address)::int from suppressions b
                where b.owner_id = t.owner_id and b.id >= $2 and b.id < $1 and b.reason = any($3)) as before
         from (select owner_id, count(distinct address)::int as n from suppressions where id >= $1 and reason = any($3)
                group by owner_id having count(distinct address) >= ${SPIKE_MIN}) t`,
      [day, week, OWN_REASONS],
    );
  }

  /** Of the accounts, those that were not notified within a day; they are notified now. */
  async takeSpikes(owners: string[], now: Date): Promise<Set<string>> {
    const rows = await this.db.query<{ OwnerId: string }>(
      `insert into opt_out_spikes (owner_id, notified_at) select unnest($1::uuid[]), $2::timestamptz
       on conflict (owner_id) do update set notified_at = excluded.notified_at
        where opt_out_spikes.notified_at < $2::timestamptz - interval '1 day' returning owner_id as "OwnerId"`,
      [owners, now],
    );
    return new Set(rows.map((r) => r.OwnerId));
  }
}
