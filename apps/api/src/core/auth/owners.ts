import { Injectable } from '@nestjs/common';
import type { Level, OwnerRef } from '@heliograph/contract';
import { TtlCache } from '../ttl-cache.ts';
import { Db } from '../db/db.ts';
import { scopeSql, type AccessScope } from './actor.ts';

/** The reseller and the manager of an account. They receive its events. */
export interface AccountManagers {
  resellerId: string | null;
  managerId: string | null;
}

/** A row with the reference of its owner, for levels that see other accounts. */
export type WithOwner<Row> = Row & { Owner?: OwnerRef };

const MANAGERS_TTL_MS = 60_000;

@Injectable()
export class Owners {
  private readonly managersCache = new TtlCache(
    (OwnerId: string) => this.loadManagers(OwnerId),
    () => MANAGERS_TTL_MS,
  );

  constructor(private readonly db: Db) {}

  async within(scope: AccessScope, OwnerId: string): Promise<boolean> {
    const values: unknown[] = [OwnerId];
    const predicate = scopeSql(scope, 'u.id', (v) => `$${values.push(v)}`);
    const rows = await this.db.query(
      `select 1 from users u where u.id = $1 and u.owner_id = u.id and ${predicate}`,
      values,
    );
    return rows.length > 0;
  }

  /** Adds `Owner` to rows, for levels that see other accounts. */
  async withOwners<Row extends { OwnerId: string }>(
    level: Level,
    rows: Row[],
  ): Promise<WithOwner<Row>[]> {
    if (level === 'me' || !rows.length) return rows;
    const ids = [...new Set(rows.map((r) => r.OwnerId))];
    const users = await this.db.query<OwnerRef>(
      `select id, username from users where id = any($1)`,
      [ids],
    );
    const byId = new Map(users.map((u) => [u.id, u]));
    return rows.map((row) => ({ ...row, Owner: byId.get(row.OwnerId) }));
  }

  managersOf(OwnerId: string): Promise<AccountManagers> {
    return this.managersCache.get(OwnerId);
  }

  private async loadManagers(OwnerId: string): Promise<AccountManagers> {
    const [row] = await this.db.query<AccountManagers>(
      `select reseller_id as "resellerId", manager_id as "managerId" from users where id = $1`,
      [OwnerId],
    );
    return row ?? { resellerId: null, managerId: null };
  }
}
