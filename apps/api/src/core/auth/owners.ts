import { Injectable } from '@nestjs/common';
import type { Level, Owner, OwnerRef } from '@heliograph/contract';
import { TtlCache } from '../ttl-cache.ts';
import { Config } from '../config.ts';
import { Db } from '../db/db.ts';
import { grantsSql, scopeSql, type AccessScope, type Holder } from './actor.ts';

/** The reseller and the manager of an account. They receive its events. */
export interface AccountManagers {
  resellerId: string | null;
  managerId: string | null;
}

/** A row with its owner, for levels that see other accounts. */
export type WithOwner<Row> = Row & { Owner?: Owner };

const MANAGERS_TTL_MS = 60_000;

@Injectable()
export class Owners {
  private readonly managersCache = new TtlCache(
    (OwnerId: string) => this.loadManagers(OwnerId),
    () => MANAGERS_TTL_MS,
  );

  constructor(
    private readonly db: Db,
    private readonly config: Config,
  ) {}

  async within(scope: AccessScope, OwnerId: string): Promise<boolean> {
    const values: unknown[] = [OwnerId];
    const predicate = scopeSql(scope, 'u.id', (v) => `$${values.push(v)}`);
    const rows = await this.db.query(
      `select 1 from users u where u.id = $1 and u.owner_id = u.id and ${predicate}`,
      values,
    );
    return rows.length > 0;
  }

  /** The account of a user: that of the holder for a member of its team. Null outside of the scope. */
  async accountOf(scope: AccessScope, userId: string): Promise<string | null> {
    const values: unknown[] = [userId];
    const predicate = scopeSql(scope, 'u.owner_id', (v) => `$${values.push(v)}`);
    const [row] = await this.db.query<{ OwnerId: string }>(
      `select u.owner_id as "OwnerId" from users u where u.id = $1 and ${predicate}`,
      values,
    );
    return row?.OwnerId ?? null;
  }

  /** Adds `Owner` to rows, for levels that see other accounts. */
  async withOwners<Row extends { OwnerId: string }>(
    level: Level,
    rows: Row[],
  ): Promise<WithOwner<Row>[]> {
    if (level === 'me' || !rows.length) return rows;
    const ids = [...new Set(rows.map((r) => r.OwnerId))];
    const owners = await this.db.query<OwnerRef & { currency: string | null }>(
      `select id, username, settings #>> '{billings,currency}' as currency from users where id = any($1)`,
      [ids],
    );
    const byId = new Map<string, Owner>(
      owners.map((owner) => [
        owner.id,
        { ...owner, currency: owner.currency ?? this.config.CURRENCY },
      ]),
    );
    return rows.map((row) => ({ ...row, Owner: byId.get(row.OwnerId) }));
  }

  /** Adds `Owner` to one row. */
  async withOwner<Row extends { OwnerId: string }>(
    level: Level,
    row: Row,
  ): Promise<WithOwner<Row>> {
    return (await this.withOwners(level, [row]))[0]!;
  }

  async usernameOf(userId: string): Promise<string> {
    const [row] = await this.db.query<{ username: string }>(
      `select username from users where id = $1`,
      [userId],
    );
    return row!.username;
  }

  /** The user in whose name a worker acts, if both user and account are active. */
  async holder(userId: string): Promise<Holder | null> {
    const [row] = await this.db.query<Holder>(
      `select u.id as "userId", u.owner_id as "OwnerId", u.level, ${grantsSql('u')} as grants, u.role
         from users u join users o on o.id = u.owner_id
        where u.id = $1 and u.is_active and o.is_active`,
      [userId],
    );
    return row ?? null;
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

/** The owner without its currency. */
export const ownerRef = ({ id, username }: Owner): OwnerRef => ({ id, username });

/** SQL of the users whom texts name, as rows of `name` and `id`: ids, and usernames or e-mails in upper or lower case. */
export const namedUsersSql = (ids: string, words: string): string =>
  `(select i::text as name, i as id from unnest(${ids}::uuid[]) i
    union
    select n, u.id from unnest(${words}::text[]) n join users u on lower(u.username) = lower(n)
    union
    select n, u.id from unnest(${words}::text[]) n join users u on lower(u.data->>'email') = lower(n))`;

/** SQL of how colleagues call a user: by first and last name; by username, if there is none. */
export const userNameSql = (user: string): string =>
  `coalesce(nullif(concat_ws(' ', nullif(${user}.data->>'firstName', ''), nullif(${user}.data->>'lastName', '')), ''), ${user}.username)`;
