import { type DateOrder } from '@heliograph/domain';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import { Db } from '../../../core/db/db.ts';
import type { ImportedContact } from './contact-row.ts';

export interface Merged {
  created: number;
  updated: number;
  skipped: number;
}

/** How existing contacts are handled. */
export type Existing = 'update' | 'skip';

const kept = (name: string) => [name, `coalesce(w.${name}, c.${name})`] as const;
/** Values of an existing contact; empty cells do not overwrite. */
const FIELDS = [
  ...['email', 'first_name', 'middle_name', 'last_name', 'gender', 'date'].map(kept),
  ['custom', 'c.custom || w.custom'] as const,
  ['tags', `case when w.tags = '{}' then c.tags else w.tags end`] as const,
];
const NAMES = FIELDS.map(([name]) => name);
const SET = FIELDS.map(([name, value]) => `${name} = ${value}`).join(', ');
/** True if the file changes the contact. */
const IS_CHANGED = `(${NAMES.map((name) => `c.${name}`).join(', ')}) is distinct from (${FIELDS.map(([, value]) => value).join(', ')})`;

/** Rows are copied to a temporary table first, so that an invalid file changes nothing. */
@Injectable()
export class ImportStore {
  constructor(private readonly db: Db) {}

  /** Copies rows on the connection of the running transaction. `lines` are chunks of `line()`. */
  async stage(lines: AsyncIterable<string>): Promise<void> {
    await this.db.query(
      `create temp table imported (
         n integer, phone text collate "C", email text collate "C", first_name text, middle_name text, last_name text,
         gender text, date date, date_by_month date, custom jsonb, custom_by_month jsonb, tags text[]
       ) on commit drop`,
    );
    const client = (await this.db.manager.queryRunner!.connect()) as PoolClient;
    await pipeline(lines, client.query(copyFrom('copy imported from stdin')));
  }

  /**
   * Merges the staged rows into a list that the caller has locked. The last of equal rows is used. Existing contacts are
   * updated, without erasing values by empty cells, or skipped.
   */
  async merge(ListId: string, existing: Existing, dates: DateOrder): Promise<Merged> {
    // With the default of 4 MB a sort of a million rows spills to disk.
    await this.db.query(`set local work_mem = '64MB'`);
    if (dates === 'month')
      await this.db.query(
        'update imported set date = date_by_month, custom = coalesce(custom_by_month, custom)',
      );
    const phones = await this.put(ListId, 'phone', 'phone is not null', existing);
    const emails = await this.put(ListId, 'email', 'phone is null', existing);
    return {
      created: phones.created + emails.created,
      updated: phones.updated + emails.updated,
      skipped: phones.skipped + emails.skipped,
    };
  }

  private async put(
    ListId: string,
    key: 'phone' | 'email',
    which: string,
    existing: Existing,
  ): Promise<Merged> {
    const isKnown = `c.list_id = $1 and c.${key} = w.${key} and c.${which}`;
    const updated = `updated as (update contacts c set ${SET}, updated_at = now() from wanted w where ${isKnown} and ${IS_CHANGED}),`;
    // The list is locked, so no `on conflict` is needed.
    const [row] = await this.db.query<{ wanted: number; created: number }>(
      `with wanted as materialized (
         select distinct on (${key}) * from imported where ${which} order by ${key}, n desc
       ), ${existing === 'update' ? updated : ''} created as (
         insert into contacts (list_id, phone, ${NAMES.join(', ')})
         select $1, phone, ${NAMES.join(', ')} from wanted w
          where not exists (select 1 from contacts c where ${isKnown}) order by n
         returning 1
       )
       select (select count(*) from wanted)::int as wanted, (select count(*) from created)::int as created`,
      [ListId],
    );
    const { wanted, created } = row!;
    const known = wanted - created;
    return existing === 'skip'
      ? { created, updated: 0, skipped: known }
      : { created, updated: known, skipped: 0 };
  }
}

/** A row in the text format of COPY. */
export function line(n: number, c: ImportedContact): string {
  const custom = JSON.stringify(c.custom);
  const byMonth = customByMonth(c);
  const { day, month } = c.date;
  const { phone, email, firstName, middleName, lastName, gender } = c;
  const tags = `{${c.tags.map(quoted).join(',')}}`;
  const cells = [
    phone,
    email,
    firstName,
    middleName,
    lastName,
    gender,
    day,
    month,
    custom,
    byMonth,
    tags,
  ];
  return `${n}\t${cells.map(escaped).join('\t')}\n`;
}

/** The additional fields if the month is first in dates; null if that makes no difference. */
function customByMonth({ custom, monthFirst }: ImportedContact): string | null {
  if (!Object.keys(monthFirst).length) return null;
  const fields = Object.entries({ ...custom, ...monthFirst });
  return JSON.stringify(Object.fromEntries(fields.filter(([, value]) => value !== null)));
}

/** An element of a Postgres array. */
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

const SPECIAL: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(text: string | null): string {
  if (text === null) return '\\N';
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (char) => SPECIAL[char]!) : text;
}
