import { SENDING_TYPES } from '@heliograph/domain';
import { createDataSource } from '../src/core/db/data-source.ts';
import { seedBase, seedSimulator } from '../../../seeds/base.ts';

/** A migrated and seeded database that every test file clones. Its name carries the process, so that two runs do not meet. */
export default async function setup(): Promise<() => Promise<void>> {
  const url = process.env.DATABASE_URL!;
  const template = `heliograph_template_${process.pid}`;
  process.env.TEMPLATE_DATABASE = template;
  const admin = await createDataSource(url, []).initialize();
  await admin.query(`drop database if exists ${template}`);
  await admin.query(`create database ${template}`);
  const source = await createDataSource(withDatabase(url, template), []).initialize();
  await source.runMigrations();
  const query = (sql: string, parameters?: unknown[]) => source.query(sql, parameters);
  await seedBase(query);
  await seedSimulator(query, SENDING_TYPES);
  await source.destroy();
  // A new session writes the cache of the catalog that migrations removed; the clones have it from the start.
  await (await createDataSource(withDatabase(url, template), [], 1).initialize()).destroy();
  return async () => {
    await admin.query(`drop database if exists ${template} with (force)`);
    await admin.destroy();
  };
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}
