import { Injectable } from '@nestjs/common';
import type { Level, OwnerRef } from '@heliograph/contract';
import { TtlCache } from '../ttl-cache.ts';
import { Db } from '../db/db.ts';
import { reachSql, type Reach } from './actor.ts';

/** Who looks after an owner: what decides into whose rooms its events go. */
export interface Keepers {
  resellerId: string | null;
  managerId: string | null;
}

/** A row that may say whose it is. */
export type Named<Row> = Row & { Owner?: OwnerRef };

const KEEPERS_MS = 60_000;

/** Which accounts there are and who may see them. */
@Injectable()
export class Owners {
  private readonly cachedKeepers = new TtlCache(
    (OwnerId: string) => this.keepersOf(OwnerId),
    () => KEEPERS_MS,
  );

  constructor(private readonly db: Db) {}

  async within(reach: Reach, OwnerId: string): Promise<boolean> {
    const values: unknown[] = [OwnerId];
    const predicate = reachSql(reach, 'u.id', (v) => `$${values.push(v)}`);
    const rows = await this.db.query(
      `select 1 from users u where u.id = $1 and u.owner_id = u.id and ${predicate}`,
      values,
    );
    return rows.length > 0;
  }

  /** The rows with whom they belong to, for levels that see more than their own. */
  async named<Row extends { OwnerId: string }>(level: Level, rows: Row[]): Promise<Named<Row>[]> {
    if (level === 'me' || !rows.length) return rows;
    const ids = [...new Set(rows.map((r) => r.OwnerId))];
    const users = await this.db.query<OwnerRef>(
      `select id, username from users where id = any($1)`,
      [ids],
    );
    const byId = new Map(users.map((u) => [u.id, u]));
    return rows.map((row) => ({ ...row, Owner: byId.get(row.OwnerId) }));
  }

  keepers(OwnerId: string): Promise<Keepers> {
    return this.cachedKeepers.get(OwnerId);
  }

  private async keepersOf(OwnerId: string): Promise<Keepers> {
    const [row] = await this.db.query<Keepers>(
      `select reseller_id as "resellerId", manager_id as "managerId" from users where id = $1`,
      [OwnerId],
    );
    return row ?? { resellerId: null, managerId: null };
  }
}
