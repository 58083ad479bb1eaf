import { DataSource, DefaultNamingStrategy, type MixedList } from 'typeorm';
import { readdirSync } from 'node:fs';

const folder = new URL('../../../../../migrations/', import.meta.url);

/** Every file of the top-level folder, in the order of their names: a new one is registered by being there. */
export const MIGRATIONS: Function[] = (
  await Promise.all(
    readdirSync(folder)
      .filter((file) => /^\d+-[\w-]+\.(ts|js)$/.test(file))
      .sort()
      .map((file) => import(new URL(file, folder).href) as Promise<Record<string, Function>>),
  )
).flatMap((module) => Object.values(module));

/** `OwnerId` -> `owner_id`, `createdAt` -> `created_at`, `custom01` stays. */
export function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

class SnakeNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined): string {
    return custom ?? snake(property);
  }
}

export function createDataSource(
  url: string,
  entities: MixedList<Function>,
  pool = 20,
  idleSeconds = 0,
): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    entities,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    installExtensions: false,
    namingStrategy: new SnakeNaming(),
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    poolSize: pool,
    // What a process that stands still has locked is let go of like its leases.
    // Every statement finds its rows through an index: a plan made while a table was small or empty would read the whole of it
    // (bulks: 9 ms per thousand sendings at 50,000 rows), and a prepared one would do so for the life of its connection.
    extra: {
      options: `-c enable_seqscan=off -c timezone=UTC -c idle_in_transaction_session_timeout=${idleSeconds}s`,
      application_name: 'heliograph',
    },
  });
}
