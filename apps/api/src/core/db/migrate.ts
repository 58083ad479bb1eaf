import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

/** Serialises migrations and seeds. */
export const SCHEMA_LOCK = 7_205_760;
const POLL_MS = 250;

/** Runs pending migrations and returns their names. */
export async function migrate(source: DataSource): Promise<string[]> {
  return withSchemaLock(source, async () => (await source.runMigrations()).map(({ name }) => name));
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
