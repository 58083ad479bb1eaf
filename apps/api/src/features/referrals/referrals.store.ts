import { Injectable } from '@nestjs/common';
import { formatMoney, isSamePerson, parseMoney, type Money } from '@heliograph/domain';
import { Db } from '../../core/db/db.ts';
import { notFound } from '../../core/errors.ts';

/** The cause of a bonus, as billings stores it. */
export interface BonusOrigin {
  code: number;
  id: string;
}

type Contacts = Parameters<typeof isSamePerson>[0];

export interface Bonus {
  id: string;
  OwnerId: string;
  paid: Money;
  amount: Money;
  returned: Money;
}

/** Under which a bonus is given. */
export interface Terms {
  percent: number;
  days: number;
}

/** Longer chains of referrals are not followed further in the search for a circle. */
const MAX_CHAIN = 100;

@Injectable()
export class ReferralsStore {
  constructor(private readonly db: Db) {}

  /**
   * Who receives bonuses for an account that registered after `since`; null when nobody does: without a referrer, when it is inactive
   * or a manager's account, when the referrer is the same person by phone or mailbox, and in a circle.
   */
  async referrerOf(OwnerId: string, since: Date): Promise<string | null> {
    const [row] = await this.db.query<{ id: string; own: Contacts; theirs: Contacts }>(
      `with recursive above as (
         select u.referrer_id as id, 1 as n from users u where u.id = $1
         union select u.referrer_id, a.n + 1 from above a join users u on u.id = a.id where a.n < ${MAX_CHAIN} and a.id <> $1
       )
       select r.id, jsonb_build_object('phone', u.data->'phone', 'email', u.data->'email') as own,
              jsonb_build_object('phone', r.data->'phone', 'email', r.data->'email') as theirs
         from users u join users r on r.id = u.referrer_id
        where u.id = $1 and u.created_at > $2 and r.id <> u.id and r.is_active and r.level <> 'manager'
          and not exists (select 1 from above where id = $1)`,
      [OwnerId, since],
    );
    return row && !isSamePerson(row.own, row.theirs) ? row.id : null;
  }

  /** The id of a new bonus; null when its origin has one. */
  async add(
    owners: { OwnerId: string; referredId: string },
    origin: BonusOrigin,
    { paid, amount, percent, days }: Pick<Bonus, 'paid' | 'amount'> & Terms,
  ): Promise<string | null> {
    const [row] = await this.db.query<{ id: string }>(
      `insert into referral_bonuses (owner_id, referred_id, origin, origin_id, paid, amount, percent, days) values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (origin, origin_id) do nothing returning id`,
      [
        owners.OwnerId,
        owners.referredId,
        origin.code,
        origin.id,
        formatMoney(paid),
        formatMoney(amount),
        percent,
        days,
      ],
    );
    return row?.id ?? null;
  }

  async lock({ code, id }: BonusOrigin): Promise<Bonus | undefined> {
    const [row] = await this.db.query<Record<keyof Bonus, string>>(
      `select id, owner_id as "OwnerId", paid::text, amount::text, returned::text from referral_bonuses
        where origin = $1 and origin_id = $2 for update`,
      [code, id],
    );
    if (!row) return undefined;
    const { paid, amount, returned, ...rest } = row;
    return {
      ...rest,
      paid: parseMoney(paid),
      amount: parseMoney(amount),
      returned: parseMoney(returned),
    };
  }

  async addReturn(id: string, bonus: Bonus, amount: Money, taken: Money): Promise<void> {
    const changed = await this.db.execute(
      `with added as (insert into referral_returns (id, bonus_id, amount, taken) values ($1, $2, $3, $4))
       update referral_bonuses set returned = returned + $3 where id = $2`,
      [id, bonus.id, formatMoney(amount), formatMoney(taken)],
    );
    if (!changed) throw notFound();
  }
}
