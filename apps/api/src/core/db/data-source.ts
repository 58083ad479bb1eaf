import type { EventEmitter } from 'node:events';
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

/** `settings` are those of Postgres for each connection: `timezone=UTC`. */
export function createDataSource(
  url: string,
  entities: MixedList<Function>,
  pool = 20,
  settings: string[] = [],
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
    extra: {
      // Whoever waits for a connection that long learns that there is none.
      connectionTimeoutMillis: 30_000,
      // A connection may fail in the moment between being made and being taken; an error that nobody hears ends a process.
      onConnect: (client: EventEmitter) => void client.on('error', () => undefined),
      options: ['timezone=UTC', ...settings].map((setting) => `-c ${setting}`).join(' '),
      application_name: 'heliograph',
    },
  });
}
