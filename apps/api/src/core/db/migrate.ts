import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { AppError } from '../errors.ts';

/** Serialises migrations and seeds. */
export const SCHEMA_LOCK = 7_205_760;
const POLL_MS = 250;

/** Runs pending migrations and returns their names. */
export async function migrate(source: DataSource): Promise<string[]> {
  await checkServer(source);
  return withSchemaLock(source, async () => (await source.runMigrations()).map(({ name }) => name));
}

const MIN_VERSION = 18;
/** As migrations create them. Both are part of PostgreSQL's own package of extensions and need no superuser. */
const EXTENSIONS = ['pg_trgm', 'btree_gin'];

interface Server {
  version: number;
  encoding: string;
  icu: boolean;
  /** Needed for the schema; and for extensions, if one is not installed. */
  inSchema: boolean;
  inDatabase: boolean;
  available: string[];
  installed: string[];
}

/** What the migrations need is checked before the first one runs: a failure in the middle would leave half a schema. */
async function checkServer(source: DataSource): Promise<void> {
  const [server] = (await source.query(
    `select current_setting('server_version_num')::int / 10000 as version,
            (select pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as encoding,
            exists (select from pg_collation where collname = 'und-x-icu') as icu,
            coalesce(has_schema_privilege(current_schema(), 'create'), false) as "inSchema",
            has_database_privilege(current_database(), 'create') as "inDatabase",
            array(select name from pg_available_extensions where name = any($1)) as available,
            array(select extname::text from pg_extension where extname = any($1)) as installed`,
    [EXTENSIONS],
  )) as [Server];
  const problems = serverProblems(server);
  if (problems.length)
    throw new AppError(
      'conflict',
      ['This database cannot be used; nothing was changed:', ...problems].join('\n  '),
    );
}

/** A sentence for each thing that has to be changed. */
export function serverProblems(server: Server): string[] {
  const missing = EXTENSIONS.filter((name) => !server.installed.includes(name));
  const absent = missing.filter((name) => !server.available.includes(name));
  return [
    server.version < MIN_VERSION &&
      `PostgreSQL ${MIN_VERSION} or newer is needed; the server is ${server.version}.`,
    server.encoding !== 'UTF8' &&
      `The encoding must be UTF8; the database has ${server.encoding}. Create it with: create database ... encoding 'UTF8' template template0.`,
    !server.icu && 'The server is built without ICU, which orders names and titles.',
    absent.length > 0 &&
      `The server lacks ${absent.join(' and ')}: install the package of its additional extensions (postgresql-contrib).`,
    !server.inSchema && 'The user may not create tables in the schema of the database.',
    missing.length > 0 &&
      !server.inDatabase &&
      `The user may not create the extensions ${missing.join(' and ')}: grant create on the database to it, or create them as its owner.`,
  ].filter((problem) => typeof problem === 'string');
}

/** Reverts the last `count` migrations and returns their names. Data of dropped columns and tables is lost. */
export async function migrateDown(source: DataSource, count: number): Promise<string[]> {
  return withSchemaLock(source, async () => {
    const undone: string[] = [];
    while (undone.length < count) {
      const [last] = (await source.query(
        `select name from migrations order by timestamp desc limit 1`,
      )) as { name: string }[];
      if (!last) break;
      await source.undoLastMigration({ transaction: 'each' });
      undone.push(last.name);
    }
    return undone;
  });
}

/** Polls for the lock: a blocking wait would be a running statement, for which `create index concurrently` waits. */
async function withSchemaLock<T>(source: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = source.createQueryRunner();
  try {
    const take = `select pg_try_advisory_lock(${SCHEMA_LOCK}) as got`;
    while (!((await runner.query(take)) as [{ got: boolean }])[0].got) await sleep(POLL_MS);
    return await work();
  } finally {
    await runner.query(`select pg_advisory_unlock(${SCHEMA_LOCK})`).catch(() => undefined);
    await runner.release();
  }
}
