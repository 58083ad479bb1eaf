import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, many, QueryToken, Time } from './fields.ts';
import { listQuery, page } from './list.ts';

/** Whether payments of a referred account still bring bonuses. */
export const REFERRAL_STATES = ['active', 'ended'] as const;
export const ReferralState = z.enum(REFERRAL_STATES);

/** An account that registered with the referral code of another. Its name is masked: it is another person's account. */
export const Referral = z.object({
  id: Id,
  name: z.string(),
  state: ReferralState,
  /** Bonuses for its payments, without what was taken back for refunds. */
  bonus: z.number(),
  /** Number of its payments that brought a bonus. */
  payments: z.int(),
  currency: z.string(),
  createdAt: Time,
  /** Payments after this time bring no bonus. */
  endsAt: Time,
});
export type Referral = z.infer<typeof Referral>;

export const ReferralStatistics = z.object({
  /** Code of the account, null until it is set. */
  code: z.string().nullable(),
  /** Share of each payment, in percent. */
  percent: z.number(),
  /** Length of the bonus period, in days from the registration of the referred account. */
  days: z.int(),
  accounts: z.int(),
  /** Referred accounts that paid. */
  paid: z.int(),
  /** Referred accounts within their bonus period. */
  active: z.int(),
  bonus: z.number(),
  /** Since the first day of the month, UTC. */
  monthBonus: z.number(),
  /** When the next bonus period ends; null if none is open. */
  nextEndsAt: Time.nullable(),
  currency: z.string(),
});
export type ReferralStatistics = z.infer<typeof ReferralStatistics>;

export const referrals = {
  find: endpoint('GET', '/referrals', {
    query: listQuery({
      order: ['createdAt', 'bonus'],
      filter: { state: many(ReferralState), OwnerId: Id },
      range: ['createdAt'],
      limit: 20,
    }),
    response: page(Referral),
    can: 'billings.find',
    owner: 'read',
    summary: 'List accounts that registered with the referral code of the account',
  }),
  statistics: endpoint('GET', '/referrals/statistics', {
    query: z.strictObject({ OwnerId: Id.optional(), token: QueryToken }),
    response: ReferralStatistics,
    can: 'billings.find',
    owner: 'read',
    cost: 'list',
    summary: 'Retrieve the referral code and the sums of its bonuses',
  }),
};
