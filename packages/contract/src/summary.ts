import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Time } from './fields.ts';

/** What is counted: the recipients written to from a day on, by their outcome; the others are pending. */
const SummaryDay = z.object({
  /** When the day began. */
  from: Time,
  total: z.int(),
  delivered: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  /** Charged on the day and not refunded. */
  spent: z.number(),
});

export const Summary = z.object({
  /** Today last, six days before it. */
  days: z.array(SummaryDay).length(7),
  /** Null without the permission to see money. */
  money: z
    .object({
      /** Of a day of the six. */
      average: z.number(),
      /** For how many days the balance and the overdraft last at that rate; null when nothing is spent. */
      daysLeft: z.int().nullable(),
    })
    .nullable(),
  /** Large accounts are counted less often. */
  countedAt: Time,
});
export type Summary = z.infer<typeof Summary>;

export const summary = {
  get: endpoint('GET', '/summary', {
    query: z.strictObject({
      /** When the asker's day began; midnight UTC unless said. */
      from: Time.optional(),
    }),
    response: Summary,
    cost: 'list',
    can: 'sendings.get',
    summary: 'The last seven days of the account',
  }),
};
