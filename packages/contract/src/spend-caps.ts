import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, Money, QueryToken, Time, TimeZone } from './fields.ts';

export const SPEND_CAP_PERIODS = ['day', 'month'] as const;
export const SpendCapPeriod = z.enum(SPEND_CAP_PERIODS);

/** Limit of what an account, or one of its API tokens, spends on messages in a day or a month of the cap's time zone. */
export const SpendCap = z.object({
  id: Id,
  OwnerId: Id,
  /** Null for a cap of the account. */
  TokenId: Id.nullable(),
  period: SpendCapPeriod,
  limit: z.number(),
  /** Charges of the current period, without those that were refunded. */
  spent: z.number(),
  timeZone: z.string(),
  startsAt: Time,
  resetsAt: Time,
});
export type SpendCap = z.infer<typeof SpendCap>;

/** The cap by which a message was refused. */
export const ReachedCap = SpendCap.omit({ id: true, OwnerId: true, startsAt: true });
export type ReachedCap = z.infer<typeof ReachedCap>;

const Limit = Money.min(0).nullable();

export const SpendCapInput = z.strictObject({
  OwnerId: Id.optional(),
  TokenId: Id.nullish(),
  day: Limit,
  month: Limit,
  timeZone: TimeZone,
});
export type SpendCapInput = z.infer<typeof SpendCapInput>;

const Caps = z.object({ data: z.array(SpendCap) });

export const spendCaps = {
  find: endpoint('GET', '/spendCaps', {
    query: z.strictObject({ OwnerId: Id.optional(), token: QueryToken }),
    response: Caps,
    can: 'billings.find',
    owner: 'read',
    summary: 'List the spend caps of an account and of its API tokens',
  }),
  set: endpoint('PUT', '/spendCaps', {
    body: SpendCapInput,
    response: Caps,
    can: 'spendCaps.update',
    owner: 'write',
    sessionOnly: true,
    audit: 'spendCaps.set',
    summary: 'Set the caps of an account or of an API token; null removes one',
  }),
};
