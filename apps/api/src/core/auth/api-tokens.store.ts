import { Injectable } from '@nestjs/common';
import { Db } from '../db/db.ts';
import { grantsSql, type Holder } from './actor.ts';

/** A token with the present rights of its user. */
export interface TokenRow extends Holder {
  tokenId: string;
  username: string;
  prefix: string;
  hash: Buffer;
  previousPrefix: string | null;
  previousHash: Buffer | null;
  previousUntil: Date | null;
  /** Of the passwords by which programs bind over SMPP; null for secrets from before there was that. */
  bindHash: string | null;
  previousBindHash: string | null;
  ipWhitelist: string[];
  chosen: string[] | null;
  isTest: boolean;
  expiredAt: Date | null;
  lastUsedAt: Date | null;
}

export interface TokenUses {
  ids: string[];
  at: Date[];
  ips: string[];
}

@Injectable()
export class ApiTokensStore {
  constructor(private readonly db: Db) {}

  /** Tokens by the prefix of their secret or of their former one. */
  byPrefixes(prefixes: string[]): Promise<TokenRow[]> {
    return this.rows(`(t.prefix = any($1) or t.previous_prefix = any($1))`, prefixes);
  }

  byIds(ids: string[]): Promise<TokenRow[]> {
    return this.rows(`t.id = any($1)`, ids);
  }

  /** Of all tokens of users. */
  async prefixesOf(userIds: string[]): Promise<string[]> {
    const rows = await this.db.query<{ prefix: string }>(
      `select p.prefix from tokens t cross join lateral (values (t.prefix), (t.previous_prefix)) p (prefix)
        where t.user_id = any($1) and p.prefix is not null`,
      [userIds],
    );
    return rows.map(({ prefix }) => prefix);
  }

  /** Not those whose user or account is deactivated or has changed. */
  private rows(condition: string, values: string[]): Promise<TokenRow[]> {
    return this.db.query<TokenRow>(
      `select t.id as "tokenId", t.prefix, t.hash, t.previous_prefix as "previousPrefix", t.previous_hash as "previousHash",
              t.previous_until as "previousUntil", t.ip_whitelist as "ipWhitelist", t.permissions as chosen, t.is_test as "isTest",
              t.expired_at as "expiredAt", t.last_used_at as "lastUsedAt",
              t.bind_hash as "bindHash", t.previous_bind_hash as "previousBindHash",
              u.id as "userId", u.username, u.owner_id as "OwnerId", u.level, ${grantsSql('u')} as grants, u.role
         from tokens t join users u on u.id = t.user_id join users o on o.id = u.owner_id
        where ${condition} and u.is_active and o.is_active and u.owner_id = t.owner_id`,
      [values],
    );
  }

  /** Stores the last use of tokens that were not used within the interval before; their ids. */
  noteUses(
    { ids, at, ips }: TokenUses,
    seconds: number,
  ): Promise<{ id: string; OwnerId: string }[]> {
    return this.db.query(
      `update tokens t set last_used_at = v.at, last_used_ip = v.ip
         from unnest($1::uuid[], $2::timestamptz[], $3::text[]) v(id, at, ip)
        where t.id = v.id and (t.last_used_at is null or t.last_used_at <= v.at - make_interval(secs => $4))
        returning t.id, t.owner_id as "OwnerId"`,
      [ids, at, ips, seconds],
    );
  }
}
