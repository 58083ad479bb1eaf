import { Injectable } from '@nestjs/common';
import type { users } from '@heliograph/contract';
import { normalizePhone } from '@heliograph/domain';
import type { SelectQueryBuilder } from 'typeorm';
import type { AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { User } from './user.entity.ts';

type Query = In<typeof users.find>['query'];

type ReferralAccounts = Pick<User, 'ReferrerId' | 'ResellerId' | 'ManagerId'>;

/** Must match the index `users_search`. */
const WORDS = contains(
  `(u.username || E'\n' || coalesce(u.data->>'email', '') || E'\n' || coalesce(u.data->>'phone', '') || E'\n' || coalesce(u.data->>'firstName', '') || ' ' || coalesce(u.data->>'lastName', ''))`,
);

@Injectable()
export class UsersStore extends Store<User, Query> {
  protected readonly list: ListSql<Query> = {
    // `u_balance` is the alias of the virtual column.
    order: { createdAt: 'u.createdAt', username: 'u.username', balance: 'u_balance' },
    filter: {
      isActive: equals('u.is_active'),
      isClosed: (isClosed, bind) => `(u.closed_at is not null) = ${bind(isClosed)}`,
      isHolder: (isHolder, bind) => `(u.role is null) = ${bind(isHolder)}`,
      level: equals('u.level'),
      ManagerId: equals('u.manager_id'),
      OwnerId: equals('u.owner_id'),
    },
    range: { createdAt: 'u.created_at' },
    search: (text, bind, country) => {
      const phone = normalizePhone(text, country);
      const found = WORDS(text, bind);
      return phone ? `(${found} or ${WORDS(phone, bind)})` : found;
    },
  };

  constructor(db: Db) {
    super(db, User, 'u');
  }

  protected override rows(scope: AccessScope): SelectQueryBuilder<User> {
    return super.rows(scope).andWhere('u.removed_at is null');
  }

  /** Reseller and manager by referral code: the owner of the code, or those of the owner if it is a customer. It is not closed meanwhile. */
  async accountsByReferralCode(code: string | undefined): Promise<ReferralAccounts | undefined> {
    if (!code) return undefined;
    const [row] = await this.db.query<ReferralAccounts>(
      `select owner_id as "ReferrerId",
              case when level = 'reseller' then owner_id else reseller_id end as "ResellerId",
              case when level = 'manager' then id else manager_id end as "ManagerId"
         from users where lower(referral_code) = lower($1) and is_active for share`,
      [code],
    );
    return row;
  }

  /** Not restricted by the scope: a reseller may see the name of an account's manager. */
  async managerOf({ ManagerId }: User): Promise<{ id: string; username: string } | null> {
    if (!ManagerId) return null;
    const [row] = await this.db.query<{ id: string; username: string }>(
      `select id, username from users where id = $1`,
      [ManagerId],
    );
    return row ?? null;
  }

  async hasSecondFactor(id: string): Promise<boolean> {
    const rows = await this.db.query(
      `select 1 from second_factors where user_id = $1 and enabled_at is not null`,
      [id],
    );
    return rows.length > 0;
  }

  async addMeta(id: string, meta: object): Promise<void> {
    await this.db.query(
      `update users set data = data || jsonb_build_object('meta', coalesce(data->'meta', '{}') || $2::jsonb),
                        updated_at = now() where id = $1`,
      [id, meta],
    );
  }

  async leaveTest(OwnerId: string): Promise<boolean> {
    const sql = `update users set is_test = false where id = $1 and is_test`;
    return (await this.db.execute(sql, [OwnerId])) > 0;
  }

  /** Locked against a change of that. */
  async isOpen(OwnerId: string): Promise<boolean> {
    const sql = `select 1 from users where id = $1 and closed_at is null for share`;
    return (await this.db.query(sql, [OwnerId])).length > 0;
  }

  async hasReseller(OwnerId: string): Promise<boolean> {
    const sql = `select 1 from users where id = $1 and reseller_id is not null`;
    return (await this.db.query(sql, [OwnerId])).length > 0;
  }

  async dropPendingPhone(id: string): Promise<void> {
    await this.db.query(`update users set pending_phone = null where id = $1`, [id]);
  }

  async isTaken(username: string, exceptId: string): Promise<boolean> {
    const found = await this.db.query(
      `select 1 from users where lower(username) = lower($1) and id <> $2`,
      [username, exceptId],
    );
    return found.length > 0;
  }
}
