import { DataSource, DefaultNamingStrategy, type MixedList } from 'typeorm';
import { Accounts1763700000001 } from '../../../../../migrations/1763700000001-accounts.ts';
import { Audience1763700000002 } from '../../../../../migrations/1763700000002-audience.ts';
import { Sendings1763700000003 } from '../../../../../migrations/1763700000003-sendings.ts';

export const MIGRATIONS = [Accounts1763700000001, Audience1763700000002, Sendings1763700000003];

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
    // A plan made while a table was empty stays a sequential scan for the life of the connection.
    extra: {
      options: `-c plan_cache_mode=force_custom_plan -c timezone=UTC -c idle_in_transaction_session_timeout=${idleSeconds}s`,
      application_name: 'heliograph',
    },
  });
}
