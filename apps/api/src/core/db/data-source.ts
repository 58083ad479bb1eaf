import type { EventEmitter } from 'node:events';
import { DataSource, DefaultNamingStrategy, type MixedList } from 'typeorm';
import { MIGRATIONS } from './migrations.ts';
import { pooledClient } from './pooled-client.ts';

/** `OwnerId` -> `owner_id`, `createdAt` -> `created_at`, `custom01` stays. */
export function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

class SnakeNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined): string {
    return custom ?? snake(property);
  }
}

/**
 * `settings` are Postgres settings of each connection, such as `statement_timeout: '5s'`. With `isPooled` the URL is that of a pooler in
 * transaction mode.
 */
export function createDataSource(
  url: string,
  entities: MixedList<Function>,
  pool = 20,
  settings: Record<string, string> = {},
  isPooled = false,
): DataSource {
  const all = { timezone: 'UTC', ...settings };
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
      connectionTimeoutMillis: 30_000,
      // A connection that fails before it is checked out emits an error, which without a listener ends the process.
      onConnect: (client: EventEmitter) => void client.on('error', () => undefined),
      ...(isPooled ? { Client: pooledClient(all) } : { options: startupOptions(all) }),
      application_name: 'heliograph',
    },
  });
}

function startupOptions(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
