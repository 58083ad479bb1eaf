import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

/** Two that change the schema, or seed it, take turns. */
export const SCHEMA_LOCK = 7_205_760;
const ASK_MS = 250;

/** Brings the schema to the newest version; the names of what was done. */
export async function migrate(source: DataSource): Promise<string[]> {
  return alone(source, async () => (await source.runMigrations()).map(({ name }) => name));
}

/** Takes the last migrations back, the newest first; the names of what was undone. Data that only they had room for is gone. */
export async function migrateDown(source: DataSource, count: number): Promise<string[]> {
  return alone(source, async () => {
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

/** Whoever waits asks again and again: an index that is made concurrently waits for every statement that began before it. */
async function alone<T>(source: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = source.createQueryRunner();
  try {
    const take = `select pg_try_advisory_lock(${SCHEMA_LOCK}) as got`;
    while (!((await runner.query(take)) as [{ got: boolean }])[0].got) await sleep(ASK_MS);
    return await work();
  } finally {
    await runner.query(`select pg_advisory_unlock(${SCHEMA_LOCK})`).catch(() => undefined);
    await runner.release();
  }
}
