import type { Db } from './core/db/db.ts';

export interface Compacted {
  index: string;
  /** Bytes. */
  before: number;
  after: number;
}

/** Nothing is gained by building a smaller one anew. */
const LEAST_BYTES = 8 * 1024 * 1024;
/** What a build that was interrupted leaves, by its name. */
const LEFTOVER = String.raw`_cc(new|old)\d*$`;

/**
 * Builds the B-trees of these tables, or of all, anew, the smallest first, while the tables are read and written. Postgres splits a full page in
 * the middle unless its entries are at the end of the index or not wider than two bigints, so an index that begins with an account is half
 * empty. Each needs its own size of free disk meanwhile. What an interrupted run left is removed.
 */
export async function* compactIndexes(
  db: Db,
  tables: string[],
  least = LEAST_BYTES,
): AsyncGenerator<Compacted> {
  const leftovers = await db.query<{ name: string }>(
    `select format('%I', i.relname) as name from pg_index x join pg_class i on i.oid = x.indexrelid
      where i.relnamespace = current_schema()::regnamespace and not x.indisvalid and i.relname ~ $1`,
    [LEFTOVER],
  );
  for (const { name } of leftovers) await db.queryUnprepared(`drop index concurrently ${name}`);
  const indexes = await db.query<{ name: string; index: string; before: number }>(
    `select format('%I', i.relname) as name, i.relname as index, pg_relation_size(i.oid)::float8 as before
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid join pg_am a on a.oid = i.relam
      where i.relnamespace = current_schema()::regnamespace and x.indisvalid and a.amname = 'btree'
        and (t.relname = any($1) or $1 = '{}') and pg_relation_size(i.oid) >= $2
      order by before, i.relname`,
    [tables, least],
  );
  for (const { name, index, before } of indexes) {
    await db.queryUnprepared(`reindex index concurrently ${name}`);
    const [row] = await db.query<{ after: number }>(
      `select pg_relation_size($1::regclass)::float8 as after`,
      [name],
    );
    yield { index, before, after: row!.after };
  }
}
