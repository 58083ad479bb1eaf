import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Time, TimeZone } from './fields.ts';

/** Recipients of messages created on a day, by outcome. Those not counted by outcome are pending. */
const SummaryDay = z.object({
  /** Start of the day. */
  from: Time,
  total: z.int(),
  delivered: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  /** Amount charged on the day and not refunded. */
  spent: z.number(),
});

export const Summary = z.object({
  /** The previous six days and, last, the current day. */
  days: z.array(SummaryDay).length(7),
  /** Null without the permission `billings.find`. */
  money: z
    .object({
      /** Average daily spending of the previous six days, and of the current one where it raises the average. */
      average: z.number(),
      /** Days for which balance and overdraft last at this rate; null without spending. */
      daysLeft: z.int().nullable(),
    })
    .nullable(),
  /** Time of the calculation. Large accounts are calculated less often. */
  countedAt: Time,
});
export type Summary = z.infer<typeof Summary>;

export const summary = {
  get: endpoint('GET', '/summary', {
    query: z.strictObject({
      /** Start of the current day in the caller's time zone; defaults to midnight UTC. */
      from: Time.optional(),
      /** In which the days before it begin at midnight; without it each of them has 24 hours. */
      timeZone: TimeZone.optional(),
    }),
    response: Summary,
    cost: 'list',
    can: 'sendings.get',
    summary: 'Retrieve statistics of the last seven days',
  }),
};
