import { Injectable } from '@nestjs/common';
import { OUTCOME_CODES } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';

export interface CappedMessage {
  /** Of the first attempt of its chain; its time is that of the message. */
  id: string;
  address: string;
}

/** How many messages count, and from which id on. */
export interface Window {
  messages: number;
  from: string;
}

/** Messages within the window, which begins at the parameter. */
const recent = (from: string) =>
  `array(select i from unnest(m.ids) i where i >= ${from}::uuid order by i)`;
/** A message that ended without a delivery. A look at one row for each id, whatever the planner knows of the table. */
const HAS_FAILED = `coalesce((select s.outcome from sendings s where s.id = i), 0) in (${OUTCOME_CODES.failed}, ${OUTCOME_CODES.cancelled})`;

const idsOf = (messages: readonly CappedMessage[]) => messages.map(({ id }) => id);
const addressesOf = (messages: readonly CappedMessage[]) => [
  ...new Set(messages.map(({ address }) => address)),
];

/** Which messages count for a person (`capped_messages`). Every statement locks persons in the order of their addresses. */
@Injectable()
export class FrequencyStore {
  constructor(private readonly db: Db) {}

  /** Adds messages as far as the window allows. Returns those that count now, with what counted before. */
  async add(
    OwnerId: string,
    messages: readonly CappedMessage[],
    { messages: most, from }: Window,
    now: Date,
  ): Promise<ReadonlySet<string>> {
    if (!messages.length) return new Set();
    const known = recent('$5');
    const rows = await this.db.query<{ ids: string[] }>(
      `insert into capped_messages as m (owner_id, address, ids, last_day)
       select $1::uuid, g.address, (array_agg(g.id order by g.n))[1:$4::int], $6::timestamptz::date
         from unnest($2::text[], $3::uuid[]) with ordinality as g(address, id, n) group by g.address order by g.address
       on conflict (owner_id, address) do update
          set ids = (${known} || array(select i from unnest(excluded.ids) i where i <> all(${known}) order by i))[1:greatest($4, cardinality(${known}))],
              last_day = excluded.last_day
        where cardinality(${known}) < $4 or m.ids && excluded.ids
       returning ids`,
      [OwnerId, messages.map(({ address }) => address), idsOf(messages), most, from, now],
    );
    return new Set(rows.flatMap(({ ids }) => ids));
  }

  /** Drops failed messages of persons who are locked. Returns the addresses of those who have had some. */
  async removeFailed(
    OwnerId: string,
    messages: readonly CappedMessage[],
    { from }: Window,
  ): Promise<ReadonlySet<string>> {
    if (!messages.length) return new Set();
    const rows = await this.db.query<{ address: string }>(
      `update capped_messages m set ids = array(select i from unnest(m.ids) i where i >= $3::uuid and not ${HAS_FAILED} order by i)
        where m.owner_id = $1 and m.address = any($2::text[])
          and exists (select 1 from unnest(m.ids) i where i >= $3::uuid and ${HAS_FAILED})
       returning m.address`,
      [OwnerId, addressesOf(messages), from],
    );
    return new Set(rows.map(({ address }) => address));
  }

  async remove(OwnerId: string, messages: readonly CappedMessage[]): Promise<void> {
    if (!messages.length) return;
    await this.db.query(
      `update capped_messages m set ids = array(select i from unnest(m.ids) i where i <> all($3::uuid[]) order by i)
        where m.owner_id = $1 and m.address = any($2::text[])`,
      [OwnerId, addressesOf(messages), idsOf(messages)],
    );
  }

  async lock(OwnerId: string, addresses: readonly string[], now: Date): Promise<void> {
    await this.db.query(
      `insert into capped_messages as m (owner_id, address, ids, last_day)
       select $1::uuid, a, '{}', $3::timestamptz::date from unnest($2::text[]) a group by a order by a
       on conflict (owner_id, address) do update set ids = m.ids where false`,
      [OwnerId, addresses, now],
    );
  }

  /** Those of the addresses that have had all messages of the window. */
  async reached(
    OwnerId: string,
    addresses: readonly string[],
    { messages, from }: Window,
  ): Promise<ReadonlySet<string>> {
    const rows = await this.db.query<{ address: string }>(
      `select m.address from capped_messages m
        where m.owner_id = $1 and m.address = any($2::text[]) and cardinality(m.ids) >= $3
          and (select count(*) from unnest(m.ids) i where i >= $4::uuid and not ${HAS_FAILED}) >= $3`,
      [OwnerId, addresses, messages, from],
    );
    return new Set(rows.map(({ address }) => address));
  }

  /** Deletes persons to whom nothing was sent since a day; returns how many. */
  deleteOld(before: Date, limit: number): Promise<number> {
    return this.db.execute(
      `delete from capped_messages where (owner_id, address) in (
         select owner_id, address from capped_messages where last_day < $1::timestamptz::date order by last_day limit ${limit} for update skip locked)`,
      [before],
    );
  }
}
