import { Injectable } from '@nestjs/common';
import type { Level } from '@heliograph/contract';
import { isUuid } from '@heliograph/domain';
import { scopeSql, type AccessScope } from '../../core/auth/actor.ts';
import { namedUsersSql } from '../../core/auth/owners.ts';
import { Db } from '../../core/db/db.ts';

/** Settings of an account as they are stored, by area. */
export type StoredSettings = Record<string, Record<string, unknown> | undefined>;

/** An account as its holder's row and its balance have it. */
export interface AccountState {
  id: string;
  username: string;
  level: Level;
  ResellerId: string | null;
  ManagerId: string | null;
  manager: string | null;
  isActive: boolean;
  suspensionReason: string | null;
  isTest: boolean;
  settings: StoredSettings;
  balance: number;
  overdraft: number;
}

@Injectable()
export class AccountsStore {
  constructor(private readonly db: Db) {}

  /** Serialises changes of an account. */
  async lock(id: string): Promise<{ settings: StoredSettings; overdraft: number }> {
    const [row] = await this.db.query<{ settings: StoredSettings; overdraft: number }>(
      `select u.settings, b.overdraft::float8 as overdraft from users u left join balances b on b.owner_id = u.id
        where u.id = $1 for no key update of u`,
      [id],
    );
    return row!;
  }

  /** Serialises new customers of a reseller. Closed ones do not count. */
  async lockReseller(
    id: string,
  ): Promise<{ isClosed: boolean; customers: number; maxCustomers: number | null }> {
    await this.db.query(`select 1 from users where id = $1 for no key update`, [id]);
    const [row] = await this.db.query<{
      isClosed: boolean;
      customers: number;
      maxCustomers: number | null;
    }>(
      `select (select count(*)::int from users c where c.reseller_id = u.id and c.owner_id = c.id and c.closed_at is null) as customers,
              u.closed_at is not null as "isClosed",
              (u.settings #>> '{accounts,maxCustomers}')::int as "maxCustomers"
         from users u where u.id = $1`,
      [id],
    );
    return row!;
  }

  async boundsOf(OwnerId: string): Promise<{ maxOverdraft: number }> {
    const [row] = await this.db.query<{ maxOverdraft: number }>(
      `select coalesce((settings #>> '{accounts,maxCustomerOverdraft}')::float8, 0) as "maxOverdraft" from users where id = $1`,
      [OwnerId],
    );
    return row!;
  }

  /** An active account holder of a level. */
  async holderOf(
    id: string,
    level: Level,
  ): Promise<{ id: string; ManagerId: string | null; currency: string | null } | null> {
    const [row] = await this.db.query<{
      id: string;
      ManagerId: string | null;
      currency: string | null;
    }>(
      `select id, manager_id as "ManagerId", settings #>> '{billings,currency}' as currency
         from users where id = $1 and owner_id = id and level = $2 and is_active`,
      [id, level],
    );
    return row ?? null;
  }

  /** Account holders within a scope by id (in lower case), username or e-mail. A name may be that of several. */
  async named(scope: AccessScope, names: string[]): Promise<Map<string, AccountState[]>> {
    const values: unknown[] = [names.filter(isUuid), names.filter((name) => !isUuid(name))];
    const within = scopeSql(scope, 'u.id', (value) => `$${values.push(value)}`);
    const rows = await this.db.query<AccountState & { name: string }>(
      `select w.name, u.id, u.username, u.level, u.reseller_id as "ResellerId", u.manager_id as "ManagerId", m.username as manager,
              u.is_active as "isActive", u.suspension_reason as "suspensionReason", u.is_test as "isTest", u.settings,
              coalesce(b.balance, 0)::float8 as balance, coalesce(b.overdraft, 0)::float8 as overdraft
         from ${namedUsersSql('$1', '$2')} w
         join users u on u.id = w.id and u.owner_id = u.id
         left join users m on m.id = u.manager_id
         left join balances b on b.owner_id = u.id
        where ${within}`,
      values,
    );
    return Map.groupBy(rows, ({ name }) => name);
  }

  /** The active managers whom texts name by id, username or e-mail. */
  async managersNamed(names: string[]): Promise<Map<string, { id: string; username: string }[]>> {
    const rows = await this.db.query<{ name: string; id: string; username: string }>(
      `select w.name, u.id, u.username from ${namedUsersSql('$1', '$2')} w
         join users u on u.id = w.id and u.owner_id = u.id and u.level = 'manager' and u.is_active`,
      [names.filter(isUuid), names.filter((name) => !isUuid(name))],
    );
    return Map.groupBy(rows, ({ name }) => name);
  }

  /** Whether accounts name it as their reseller or manager. */
  async looksAfter(id: string): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from users where (reseller_id = $1 or manager_id = $1) and id <> $1 limit 1`,
      [id],
    );
    return rows.length > 0;
  }

  async store(
    id: string,
    row: {
      level: Level;
      ResellerId: string | null;
      ManagerId: string | null;
      isTest: boolean;
      settings: StoredSettings;
    },
  ): Promise<void> {
    await this.db.query(
      `update users set level = $2, reseller_id = $3, manager_id = $4, is_test = $5, settings = $6, updated_at = now() where id = $1`,
      [id, row.level, row.ResellerId, row.ManagerId, row.isTest, row.settings],
    );
  }
}
