import { Injectable } from '@nestjs/common';
import type { AutomaticInvoice, BalanceLimitInput } from '@heliograph/contract';
import type { Locale } from '@heliograph/domain';
import { roleHasSql } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';

export interface StoredLimit {
  balance: string;
  includeOverdraft: boolean;
  invoice: AutomaticInvoice | null;
  isReached: boolean;
}

/** A limit below which the balance fell. */
export interface FiredLimit {
  id: string;
  userId: string;
  OwnerId: string;
  limit: string;
  balance: string;
  invoice: AutomaticInvoice | null;
  /** Null for the default. */
  currency: string | null;
  /** The confirmed address of the user. */
  email: string | null;
  locale: Locale | null;
}

/** What is compared with a limit `l`, of a balance `b`. */
const AVAILABLE = `(b.balance + case when l.include_overdraft then b.overdraft else 0 end)`;
const IS_BELOW = `l.fired_at is null and ${AVAILABLE} < l.balance`;

@Injectable()
export class BalanceLimitsStore {
  constructor(private readonly db: Db) {}

  of(userId: string): Promise<StoredLimit[]> {
    return this.db.query<StoredLimit>(
      `select balance::text, include_overdraft as "includeOverdraft", invoice, fired_at is not null as "isReached"
         from balance_limits where user_id = $1 order by position`,
      [userId],
    );
  }

  /** Before they are read and replaced: of two changes at a time the second one waits. */
  async lock(userId: string): Promise<void> {
    await this.db.query(`select 1 from users where id = $1 for update`, [userId]);
  }

  /** Replaces the limits of a user. Those that stay keep whether they were reached. */
  async replace(userId: string, OwnerId: string, limits: BalanceLimitInput[]): Promise<void> {
    await this.db.query(
      `with former as (delete from balance_limits where user_id = $1 returning balance, include_overdraft, fired_at)
       insert into balance_limits (user_id, owner_id, position, balance, include_overdraft, invoice, fired_at)
       select $1, $2, r.n, r.balance, r.include_overdraft, r.invoice,
              (select max(f.fired_at) from former f where f.balance = r.balance and f.include_overdraft = r.include_overdraft)
         from unnest($3::numeric[], $4::boolean[], $5::jsonb[]) with ordinality r (balance, include_overdraft, invoice, n)`,
      [
        userId,
        OwnerId,
        limits.map(({ balance }) => balance),
        limits.map(({ includeOverdraft }) => includeOverdraft),
        limits.map(({ invoice }) => (invoice ? JSON.stringify(invoice) : null)),
      ],
    );
  }

  /** Limits that the balance is above of again can be reached anew. */
  async rearm(): Promise<void> {
    await this.db.query(
      `update balance_limits l set fired_at = null from balances b
        where b.owner_id = l.owner_id and l.fired_at is not null and ${AVAILABLE} >= l.balance`,
    );
  }

  /** Ids of reached limits, those of the longest standing first. */
  async reached(limit: number): Promise<{ id: string; hasInvoice: boolean }[]> {
    return this.db.query<{ id: string; hasInvoice: boolean }>(
      `select l.id, l.invoice is not null as "hasInvoice" from balance_limits l
         join balances b on b.owner_id = l.owner_id join users u on u.id = l.user_id and u.is_active
        where ${IS_BELOW} and ${roleHasSql('u', 'billings.find')}
          and (l.invoice is null or ${roleHasSql('u', 'invoices.create')}) order by l.id limit $1`,
      [limit],
    );
  }

  /** Marks limits as reached. Returns those that another worker has not marked and that are still below. */
  fire(ids: string[], now: Date): Promise<FiredLimit[]> {
    return this.db.query<FiredLimit>(
      `with below as (
         select l.id, b.balance from balance_limits l join balances b on b.owner_id = l.owner_id
          where l.id = any($1) and ${IS_BELOW} order by l.id for update of l),
       fired as (
         update balance_limits l set fired_at = $2 from below where l.id = below.id
         returning l.id, l.user_id, l.owner_id, l.balance as lim, below.balance, l.invoice)
       select f.id, f.user_id as "userId", f.owner_id as "OwnerId", f.lim::text as limit, f.balance::text, f.invoice,
              (select o.settings #>> '{billings,currency}' from users o where o.id = f.owner_id) as currency,
              case when u.email_confirmed_at is not null then u.data->>'email' end as email,
              (select value #>> '{}' from settings_user s where s.user_id = f.user_id and s.key = 'locale') as locale
         from fired f join users u on u.id = f.user_id order by f.id`,
      [ids, now],
    );
  }
}
