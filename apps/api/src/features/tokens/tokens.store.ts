import { Injectable } from '@nestjs/common';
import type { tokens } from '@heliograph/contract';
import type { StoredSecret } from '../../core/auth/token-secret.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { Token } from './token.entity.ts';

type Query = In<typeof tokens.find>['query'];

export const TOKENS_QUOTA: Quota = {
  name: 'tokens',
  limit: (config) => config.QUOTA_TOKENS,
  used: countOf('tokens'),
};

type Notified = Pick<Token, 'id' | 'OwnerId' | 'description' | 'prefix'> & { expiredAt: Date };

@Injectable()
export class TokensStore extends Store<Token, Query> {
  protected readonly list: ListSql<Query> = {
    order: {
      createdAt: 't.createdAt',
      description: 't.description',
      expiredAt: 't.expiredAt',
      lastUsedAt: 't.lastUsedAt',
    },
    filter: { OwnerId: equals('t.owner_id'), UserId: equals('t.user_id') },
    range: { createdAt: 't.created_at' },
    search: contains('t.description', 't.prefix'),
  };

  constructor(db: Db) {
    super(db, Token, 't');
  }

  /** Messages are told by it to be tests, also when the token is removed. */
  async noteTest(id: string): Promise<void> {
    await this.db.query(`insert into test_tokens (id) values ($1)`, [id]);
  }

  /** Replaces the secret. The former one stays valid until `until`; null ends it. */
  async replaceSecret(
    id: string,
    { prefix, hash, bindHash }: StoredSecret & { bindHash: string },
    until: Date | null,
  ): Promise<void> {
    await this.db.query(
      `update tokens set prefix = $2, hash = $3, bind_hash = $5, rotated_at = now(), updated_at = now(),
              previous_prefix = case when $4::timestamptz is not null then prefix end,
              previous_hash = case when $4 is not null then hash end, previous_until = $4,
              previous_bind_hash = case when $4 is not null then bind_hash end
        where id = $1`,
      [id, prefix, hash, until, bindHash],
    );
  }

  /** Marks tokens that expire within the time as notified, and returns them. Each is returned once. */
  markExpiring(now: Date, until: Date, limit: number): Promise<Notified[]> {
    return this.mark(
      'expiring_notified_at',
      'expired_at > $1 and expired_at <= $2',
      now,
      until,
      limit,
    );
  }

  markExpired(now: Date, limit: number): Promise<Notified[]> {
    return this.mark('expired_notified_at', 'expired_at <= $2', now, now, limit);
  }

  private mark(
    column: 'expiring_notified_at' | 'expired_notified_at',
    isDue: string,
    now: Date,
    until: Date,
    limit: number,
  ): Promise<Notified[]> {
    return this.db.query<Notified>(
      `update tokens set ${column} = $1 where id in (
         select id from tokens where ${isDue} and expired_notified_at is null and ${column} is null
          order by expired_at limit $3 for update skip locked)
       returning id, owner_id as "OwnerId", description, prefix, expired_at as "expiredAt"`,
      [now, until, limit],
    );
  }
}
