import { accounts, load } from './single.ts';
import { bulk, instantCarrier } from './bulk.ts';
import type { Product } from './product.ts';
import { COUNT, reached, say, type Bench, type Row } from './rows.ts';

const BULKS = 3;
const OWNERS = 50;
/** Below this a table is no part of what a message costs. */
const LEAST_BYTES = 1;

interface Size {
  rows: number;
  indexes: number;
}

/** Bytes of each table and of its indexes, as they are once `VACUUM` has been there; and of all log that was written. */
async function sizes({ db }: Product): Promise<{ tables: Map<string, Size>; log: number }> {
  await db.query('vacuum');
  const { rows } = await db.query<{ name: string } & Size>(
    `select relname as name, pg_table_size(oid)::float8 as rows, pg_indexes_size(oid)::float8 as indexes
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const { rows: written } = await db.query<{ log: number }>(
    `select (pg_current_wal_lsn() - '0/0')::float8 as log`,
  );
  return {
    tables: new Map(rows.map(({ name, ...size }) => [name, size])),
    log: written[0]!.log,
  };
}

/** What a message takes more, table by table, when `work` makes so many of them. */
async function taken(product: Product, what: string, work: () => Promise<number>): Promise<Row[]> {
  const before = await sizes(product);
  const messages = await work();
  const after = await sizes(product);
  const log = after.log - before.log;
  const each = [...after.tables].map(([name, size]) => {
    const former = before.tables.get(name)!;
    return {
      name,
      rows: (size.rows - former.rows) / messages,
      indexes: (size.indexes - former.indexes) / messages,
    };
  });
  // A contact is no part of a message.
  const costs = each.filter(({ name }) => !name.startsWith('contact'));
  const sum = costs.reduce((all, { rows, indexes }) => all + rows + indexes, 0);
  const bytes = (n: number) => `${say(Math.round(n))} bytes`;
  return [
    ...costs
      .filter(({ rows, indexes }) => rows + indexes >= LEAST_BYTES)
      .toSorted((a, b) => b.rows + b.indexes - a.rows - a.indexes)
      .map(({ name, rows, indexes }) => ({
        bench: `disk, ${what}: ${name}`,
        figure: `${bytes(rows)}, indexes ${bytes(indexes)}`,
      })),
    {
      bench: `disk, ${what}`,
      figure: `${bytes(sum)}, log ${bytes(log / messages)}`,
      score: sum,
      accept: 1000,
      aim: 600,
      atMost: true,
    },
  ];
}

/** What of these messages' bytes is free again when the indexes have been built anew. */
async function saved(product: Product, messages: number): Promise<Row> {
  const indexes = async () =>
    Array.from((await sizes(product)).tables.values()).reduce((sum, one) => sum + one.indexes, 0);
  const before = await indexes();
  await product.cli('compact-indexes');
  const bytes = (before - (await indexes())) / messages;
  return { bench: 'disk, compact-indexes', figure: `${say(Math.round(bytes))} bytes less` };
}

/** Bytes that a message takes, of bulks and by calls of their own, with its charge and all indexes. */
export const diskBench: Bench = {
  async run(product) {
    await instantCarrier(product);
    await bulk(product, 1000);
    const bulks = await taken(product, 'a bulk', async () => {
      for (let n = 0; n < BULKS; n++) await bulk(product, COUNT);
      return BULKS * COUNT;
    });
    const compacted = await saved(product, BULKS * COUNT);
    const tokens = await accounts(product, OWNERS);
    const ended = async () => {
      const { rows } = await product.db.query<{ all: number; ended: number }>(
        `select count(*)::int as all, count(outcome)::int as ended from sendings`,
      );
      return rows[0]!;
    };
    const singles = await taken(product, 'singles', async () => {
      const before = await ended();
      await load(product.base, tokens);
      const made = (await ended()).all - before.all;
      await reached('ended messages', made, async () => (await ended()).ended - before.ended);
      return made;
    });
    return [...bulks, compacted, ...singles];
  },
};
