import * as z from 'zod';
import { ById, endpoint } from './endpoint.ts';
import { Id, Money, QueryToken, Time } from './fields.ts';

/** What the messages of an account cost at least in a month: the difference is charged when the month has ended. */
export const MonthlyMinimum = z.object({
  OwnerId: Id,
  currency: z.string(),
  /** Of this month; 0 for none. */
  minimum: z.number(),
  /** What messages cost so far in this month, without refunded ones. */
  spent: z.number(),
  /** What is charged when the month ends, if no more is spent. */
  fee: z.number(),
  startsAt: Time,
  endsAt: Time,
  /** From the next month on. */
  next: z.number(),
  /** Fees of months that have ended, which the balance did not cover. */
  unpaid: z.number(),
});
export type MonthlyMinimum = z.infer<typeof MonthlyMinimum>;

export const MonthlyMinimumInput = z.strictObject({
  /** 0 for none. */
  minimum: Money.min(0),
});

export const monthlyMinimums = {
  get: endpoint('GET', '/monthlyMinimum', {
    query: z.strictObject({ OwnerId: Id.optional(), token: QueryToken }),
    response: MonthlyMinimum,
    can: 'tariffs.get',
    owner: 'read',
    cost: 'list',
    summary: 'Show the monthly minimum of an account and how much of it is used',
  }),
  set: endpoint('PUT', '/users/:id/monthlyMinimum', {
    params: ById,
    body: MonthlyMinimumInput,
    response: MonthlyMinimum,
    can: 'tariffs.update',
    accept: 'resellerUp',
    sessionOnly: true,
    audit: 'monthlyMinimums.set',
    summary: 'Set the monthly minimum of an account, for a reseller of a customer; 0 removes it',
  }),
};
