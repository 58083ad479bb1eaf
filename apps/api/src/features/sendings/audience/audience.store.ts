import { Injectable } from '@nestjs/common';
import type { TaskSegment } from '@heliograph/contract';
import {
  OUTCOME_CODES,
  shownValues,
  typeCode,
  VARIANT_SLOTS,
  type Locale,
  type SendingType,
} from '@heliograph/domain';
import { inDefaultCollation } from '../../../core/db/collation.ts';
import { Db } from '../../../core/db/db.ts';
import { snake } from '../../../core/db/data-source.ts';
import type { Bind } from '../../../core/db/find-page.ts';
import { memberSql, type Membership } from '../../segments/segments.service.ts';
import {
  respondedSql,
  type AudienceSegment,
  type AudienceSlice,
  type Meanwhile,
} from '../../tasks/tasks.service.ts';
import { addressField, ownValues } from '../plan.ts';

/** Position of the next read. */
export interface Cursor {
  segment: number;
  /** The last contact read in the segment. */
  id: string | null;
  /** The last typed phone read in the segment. */
  n: number;
}

/** The stored integer of the type of a bulk, and the types by which it goes on to who has opted out of it. */
interface OptOut {
  OwnerId: string;
  type: number;
  next: SendingType[];
}

export interface Audience {
  OwnerId: string;
  /** Its typed phones are in `task_phones`; null for an estimate, which has them in `typed`. */
  taskId: string | null;
  segments: AudienceSegment[];
  /** Typed and excluded phones of an estimate, which are not in the database. */
  typed?: string[];
  /** The contacts of `typed`, parallel; null when it has none. */
  contacts?: (string | null)[] | null;
  /** What is asked again of recipients of another bulk; null of others, and for an estimate. */
  meanwhile: Meanwhile | null;
  excludedPhones?: ReadonlySet<string>;
  excludedLists: string[];
  /** As they were when the bulk was created. */
  savedSegments: { included: readonly TaskSegment[]; excluded: readonly TaskSegment[] };
  /** How their conditions are read. */
  membership: Membership;
  /** Active blacklists of the owner. */
  blacklists: string[];
  /** Of which people can opt out; null when the message is sent to all, or nobody has opted out. */
  optOut: OptOut | null;
  /** The addresses of a part of a bulk with two texts; null of all. */
  slice: AudienceSlice | null;
  /** Contacts with a greater id were added after the start and are left out; null before the start. */
  lastContact: string | null;
  /** The language of the account, in which dates and genders are written. */
  locale: Locale;
}

export interface Recipient {
  address: string | null;
  list: string | null;
  values: Record<string, string | null>;
  isExcluded: boolean;
  isBlacklisted: boolean;
  /** Has opted out of the messages of the account. */
  isUnsubscribed: boolean;
  /** Was meant as a recipient of another bulk, and was reached since, or has responded. */
  since?: 'reached' | 'clicked' | 'seen' | null;
}

export interface Chunk {
  recipients: Recipient[];
  /** The cursor after each recipient, parallel to `recipients`. */
  cursors: Cursor[];
  next: Cursor;
  isEnd: boolean;
  /** Contacts that were looked at for members of segments. */
  sought: number;
}

/** Contacts of a list among which one statement looks for members of a segment. */
const MEMBERS_SOUGHT = 20_000;
/** How often one read looks, so that a chunk without members ends soon, too. */
export const MAX_SOUGHT = 5 * MEMBERS_SOUGHT;

/** Reads the recipients of a bulk, in the order of its lists and of the contacts' ids. */
@Injectable()
export class AudienceStore {
  constructor(private readonly db: Db) {}

  /** Active blacklists, whether anyone has opted out, and whether a list among `used` is no longer the owner's. */
  async lists(
    OwnerId: string,
    used: string[],
  ): Promise<{ blacklists: string[]; hasOptOuts: boolean; missing: boolean }> {
    const rows = await this.db.query<{ id: string | null; isBlacklist: boolean }>(
      `select id, type = 'blacklist' and is_active as "isBlacklist" from contact_lists
        where owner_id = $1 and (type = 'blacklist' and is_active or id = any($2))
       union all select null, false where exists (select 1 from suppressions where owner_id = $1)`,
      [OwnerId, used],
    );
    const found = new Set(rows.map((r) => r.id));
    return {
      blacklists: rows.flatMap((r) => (r.isBlacklist && r.id ? [r.id] : [])),
      hasOptOuts: found.has(null),
      missing: used.some((id) => !found.has(id)),
    };
  }

  /** Ids of the owner's lists among `ids`. */
  findLists(OwnerId: string, ids: string[]): Promise<{ id: string }[]> {
    return this.db.query<{ id: string }>(
      `select id from contact_lists where id = any($1) and owner_id = $2`,
      [ids, OwnerId],
    );
  }

  /** Those of the addresses that a task has reached already. */
  async reached(taskId: string, addresses: string[]): Promise<Set<string>> {
    const rows = await this.db.query<{ phone: string }>(
      `select phone from sendings where group_id = $1 and chain_id is null and phone = any($2)`,
      [taskId, addresses],
    );
    return new Set(rows.map(({ phone }) => phone));
  }

  /** Contacts of the lists, by the counters of the lists. */
  async countContacts(lists: string[]): Promise<number> {
    const [row] = await this.db.query<{ n: number }>(
      `select coalesce(sum(count), 0)::int as n from contact_lists where id = any($1)`,
      [lists],
    );
    return row!.n;
  }

  /** The next recipients after a cursor, at most `limit`, across segments. */
  async read(
    audience: Audience,
    field: 'phone' | 'email',
    names: string[],
    from: Cursor,
    limit: number,
  ): Promise<Chunk> {
    const chunk: Chunk = { recipients: [], cursors: [], next: from, isEnd: false, sought: 0 };
    while (chunk.recipients.length < limit && chunk.sought < MAX_SOUGHT) {
      const segment = audience.segments[chunk.next.segment];
      if (!segment) return { ...chunk, isEnd: true };
      const missing = limit - chunk.recipients.length;
      const part =
        'list' in segment
          ? await this.contacts(audience, segment, field, names, chunk.next, missing)
          : await this.phones(audience, segment.phones, field, names, chunk.next, missing);
      chunk.recipients.push(...part.recipients);
      chunk.cursors.push(...part.cursors);
      const last = part.cursors.at(-1);
      if (part.end) chunk.sought += MEMBERS_SOUGHT;
      chunk.next =
        part.recipients.length === missing
          ? last!
          : part.end
            ? { ...chunk.next, id: part.end }
            : { segment: chunk.next.segment + 1, id: null, n: 0 };
    }
    return chunk;
  }

  private async contacts(
    audience: Audience,
    { list, members }: Exclude<AudienceSegment, { phones: unknown }>,
    field: 'phone' | 'email',
    names: string[],
    from: Cursor,
    limit: number,
  ) {
    const end = members ? await this.endOfSearch(list, from.id, audience.lastContact) : null;
    const values: unknown[] = [
      list,
      from.id,
      end ?? audience.lastContact,
      limit,
      audience.excludedLists,
      audience.blacklists,
      audience.taskId,
      ...(audience.optOut ? [audience.optOut.OwnerId, audience.optOut.type] : []),
    ];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const segment = audience.savedSegments.included.find(({ id }) => id === members);
    const isMember = segment ? memberSql(segment, audience.membership, bind) : [];
    const rows = await this.db.queryUnprepared<
      Record<string, string | null> & {
        id: string;
        excluded: boolean;
        blacklisted: boolean;
        unsubscribed: boolean;
      }
    >(
      `select c.id, c.${field} as address, ${names.map((name) => variable(name, 'c')).join('')}
              ${excludedSql(audience, field, `c.${field}`, bind)} as excluded,
              exists (select 1 from contacts b where b.list_id = any($6) and b.${field} = c.${field}) as blacklisted,
              ${unsubscribedSql(audience, `c.${field}`, field, 'c')} as unsubscribed
         from contacts c ${isMember.length ? 'join contact_lists l on l.id = c.list_id' : ''}
        where ${['c.list_id = $1', '($2::uuid is null or c.id > $2)', '($3::uuid is null or c.id <= $3)', ...isMember, ...sliceSql(audience, `coalesce(c.${field}, c.id::text)`, bind)].join(' and ')}
        order by c.id limit $4`,
      values,
    );
    const recipients = rows.map(
      ({ id: _, address, excluded, blacklisted, unsubscribed, ...values }): Recipient => ({
        address: address ?? null,
        list,
        values: shownValues(values as Record<string, string | null>, audience.locale),
        isExcluded: excluded || isExcluded(audience, address),
        isBlacklisted: blacklisted,
        isUnsubscribed: unsubscribed,
      }),
    );
    const cursors = rows.map((r) => ({ segment: from.segment, id: r.id, n: 0 }));
    return { recipients, cursors, end };
  }

  /** The last of the next contacts among which members are sought; null if they are all that is left of the list. */
  private async endOfSearch(
    list: string,
    from: string | null,
    lastContact: string | null,
  ): Promise<string | null> {
    const [row] = await this.db.query<{ id: string }>(
      `select id from contacts
        where list_id = $1 and ($2::uuid is null or id > $2) and ($3::uuid is null or id <= $3)
        order by id offset ${MEMBERS_SOUGHT - 1} limit 1`,
      [list, from, lastContact],
    );
    return row?.id ?? null;
  }

  private async phones(
    audience: Audience,
    [first, last]: [number, number],
    field: 'phone' | 'email',
    names: string[],
    from: Cursor,
    limit: number,
  ) {
    const start = Math.max(first, from.n + 1);
    const end = Math.min(last, start - 1 + limit);
    const typed = audience.typed?.slice(start - 1, end) ?? [];
    const contacts = audience.contacts?.slice(start - 1, end) ?? null;
    // Typed ones have no values.
    const isOfContacts = contacts !== null || audience.meanwhile !== null;
    const values: unknown[] = [
      start,
      last,
      null,
      limit,
      audience.excludedLists,
      audience.blacklists,
      audience.taskId,
      ...(audience.optOut ? [audience.optOut.OwnerId, audience.optOut.type] : []),
    ];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const rows = await this.db.queryUnprepared<
      Record<string, string | null> & {
        n: number;
        phone: string;
        list: string | null;
        excluded: boolean;
        blacklisted: boolean;
        unsubscribed: boolean;
        since: Recipient['since'];
      }
    >(
      `select ${isOfContacts ? `${names.map((name) => variable(name, 'v')).join('')} v.list_id` : 'null'} as list,
              c.n, c.phone, ${sinceSql(audience, bind)} as since,
              ${excludedSql(audience, field, 'c.phone', bind)} as excluded,
              exists (select 1 from contacts b where b.list_id = any($6) and b.${field} = c.phone) as blacklisted,
              ${unsubscribedSql(audience, 'c.phone', field, isOfContacts ? 'v' : null)} as unsubscribed
         from ${
           audience.taskId
             ? 'task_phones c'
             : `(select $1::int - 1 + k as n, phone, contact_id from unnest(${bind(typed)}::text[], ${bind(contacts)}::uuid[])
                   with ordinality as typed(phone, contact_id, k)) c`
         } ${isOfContacts ? 'left join contacts v on v.id = c.contact_id' : ''}
        where ${['c.n between $1 and $2', '$3::int is null', ...(audience.taskId ? ['c.task_id = $7', 'not c.excluded'] : []), ...sliceSql(audience, 'c.phone', bind)].join(' and ')}
        order by c.n limit $4`,
      values,
    );
    const recipients = rows.map(
      ({ n: _, phone, list, excluded, blacklisted, unsubscribed, since, ...known }): Recipient => ({
        address: phone,
        list,
        values: { ...shownValues(known, audience.locale), ...ownValues(phone) },
        isExcluded: excluded || isExcluded(audience, phone),
        isBlacklisted: blacklisted,
        isUnsubscribed: unsubscribed,
        since,
      }),
    );
    return {
      recipients,
      cursors: rows.map((r) => ({ segment: from.segment, id: null, n: Number(r.n) })),
      end: null,
    };
  }
}

const isExcluded = ({ excludedPhones }: Audience, address: string | null | undefined): boolean =>
  !!address && !!excludedPhones?.has(address);

/** On an excluded list, in an excluded segment, or an excluded phone of the task. */
function excludedSql(
  { OwnerId, savedSegments, membership }: Audience,
  field: 'phone' | 'email',
  address: string,
  bind: Bind,
): string {
  const inSegments = savedSegments.excluded.map((segment) => {
    const conditions = memberSql(segment, membership, bind);
    // The address is named apart: inside, `c` is a member.
    return `exists (select 1 from (select ${address} as address) o, contact_lists l join contacts c on c.list_id = l.id
                     where ${[`l.owner_id = ${bind(OwnerId)}`, `l.type = 'regular'`, `c.${field} = o.address`, ...conditions].join(' and ')})`;
  });
  return `(${[
    `exists (select 1 from contacts e where e.list_id = any($5) and e.${field} = ${address})`,
    `exists (select 1 from task_phones x where x.task_id = $7::uuid and x.excluded and x.phone = ${address})`,
    ...inSegments,
  ].join(' or ')})`;
}

/**
 * The slot of an address, by a hash that is the same in every version of Postgres and on every machine: the parts of a bulk are read
 * hours apart.
 */
function sliceSql({ slice }: Audience, address: string, bind: Bind): string[] {
  if (!slice) return [];
  const digest = `encode(sha256(convert_to(${bind(slice.seed)}::text || ${address}, 'UTF8')), 'hex')`;
  const slot = `('x' || left(${digest}, 8))::bit(32)::bigint % ${VARIANT_SLOTS}`;
  return [`${slot} >= ${bind(slice.from)}`, `${slot} < ${bind(slice.to)}`];
}

/**
 * Whether nothing of a chain may be sent to the person: the first type is refused, and each that would follow it; or all types of the
 * first address. By parameters 8 and 9. `contact` has the other address. The types are an array, so that the table is looked up by its
 * index and never hashed.
 */
function unsubscribedSql(
  { optOut }: Audience,
  address: string,
  field: 'phone' | 'email',
  contact: string | null,
): string {
  if (!optOut) return 'false';
  const refuses = (of: string, type: number | '$9') =>
    `exists (select 1 from suppressions p where p.owner_id = $8 and p.address = ${inDefaultCollation(of)} and p.type = any(array[0, ${type}]::smallint[]))`;
  const next = optOut.next.map((type) => {
    const needed = addressField(type);
    if (needed === field) return refuses(address, typeCode(type));
    const other = `${contact}.${needed}`;
    return contact ? `(${other} is null or ${refuses(other, typeCode(type))})` : 'true';
  });
  const first = refuses(address, '$9');
  return next.length ? `(${first} and (${refuses(address, 0)} or ${next.join(' and ')}))` : first;
}

/** Whether another bulk has delivered to the address since, or the person `v` has responded. */
function sinceSql({ OwnerId, meanwhile }: Audience, bind: Bind): string {
  if (!meanwhile) return 'null';
  const { responses, reachedBy, family } = meanwhile;
  const reached = `exists (select 1 from sendings r where r.group_id = any(${bind(reachedBy)}::uuid[]) and r.phone = c.phone and r.chain_id is null
                              and r.outcome = ${OUTCOME_CODES.delivered})`;
  const person = responses.length && {
    owner: `${bind(OwnerId)}::uuid`,
    addresses: 'array[c.phone, v.phone, v.email]',
    family: `${bind(family)}::uuid[]`,
  };
  const responded = person
    ? responses.map(
        (response) =>
          `when ${respondedSql(response, person)} then '${response === 'unseen' ? 'seen' : 'clicked'}' `,
      )
    : [];
  return `case ${responded.join('')}when ${reached} then 'reached' end`;
}

/** A contact's variable as a column. `name` is one of the known variables: the text was compiled. */
function variable(name: string, contact: 'c' | 'v'): string {
  const column = /^custom\d\d$/.test(name)
    ? `${contact}.custom->>'${name}'`
    : name === 'date'
      ? `to_char(${contact}.date, 'YYYY-MM-DD')`
      : `${contact}.${snake(name)}`;
  return `${column} as "${name}", `;
}
