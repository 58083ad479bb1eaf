import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, queryInt, QueryToken, Time, TimeZone } from './fields.ts';
import { MESSAGE_FILTERS } from './sendings.ts';
import { SendingType } from './types.ts';

/** What figures are grouped by; `hour` is that of the day. */
export const ANALYTICS_DIMENSIONS = [
  'day',
  'hour',
  'type',
  'operator',
  'country',
  'sender',
  'task',
  'token',
  'account',
] as const;
export type AnalyticsDimension = (typeof ANALYTICS_DIMENSIONS)[number];

/** Groups of one answer. */
export const MAX_ANALYTICS_ROWS = 500;
/** Days of a period. */
export const MAX_ANALYTICS_DAYS = 400;

/** Of the messages created in a period. */
export const AnalyticsFigures = z.object({
  messages: z.int(),
  /** Given to a carrier. */
  submitted: z.int(),
  /** Including those seen. */
  delivered: z.int(),
  seen: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  /** Incoming messages that answer them. */
  replies: z.int().nullable(),
  optOuts: z.int().nullable(),
  /** Of links of the account, at the time of the click; null where they cannot be told apart. */
  clicks: z.int().nullable(),
  /** Charged and not refunded; null without the permission `billings.find`. */
  cost: z.number().nullable(),
  /** Messages that packages cover, which are not in the cost; null without the permission `billings.find`. */
  covered: z.int().nullable(),
  /** Seconds from the submit within which half of the deliveries arrived. */
  median: z.number().nullable(),
  /** Seconds within which 95 % of them arrived. */
  p95: z.number().nullable(),
});
export type AnalyticsFigures = z.infer<typeof AnalyticsFigures>;

export const AnalyticsRow = z.object({
  /** By which the messages are filtered: a time, an hour, a type, a network code, a country, a sender name or an id; '' if unknown. */
  key: z.string(),
  /** Name of an operator, a bulk, a token or an account; null where the key says it. */
  title: z.string().nullable(),
  figures: AnalyticsFigures,
  /** In the other period; null without one. */
  before: AnalyticsFigures.nullable(),
});
export type AnalyticsRow = z.infer<typeof AnalyticsRow>;

export const Analytics = z.object({
  total: AnalyticsFigures,
  before: AnalyticsFigures.nullable(),
  /** Those with the most messages, or all in the order of time. */
  data: z.array(AnalyticsRow),
  /** Whether there are more groups. */
  isCut: z.boolean(),
});
export type Analytics = z.infer<typeof Analytics>;

const DAY_MS = 86_400_000;
const lasts = (from: string, to: string) => Date.parse(to) - Date.parse(from);
const isPeriod = (from: string, to: string) =>
  lasts(from, to) > 0 && lasts(from, to) <= MAX_ANALYTICS_DAYS * DAY_MS;

export const analytics = {
  get: endpoint('GET', '/analytics', {
    query: z
      .strictObject({
        by: z.enum(ANALYTICS_DIMENSIONS),
        from: Time,
        /** Not included. Periods are of whole quarters of an hour. */
        to: Time,
        /** Of days and hours; by default UTC. */
        timeZone: TimeZone.optional(),
        /** The other period, which ends before this one. */
        beforeFrom: Time.optional(),
        beforeTo: Time.optional(),
        type: SendingType.optional(),
        mccmnc: MESSAGE_FILTERS.mccmnc.optional(),
        country: MESSAGE_FILTERS.country.optional(),
        sender: MESSAGE_FILTERS.sender.optional(),
        groupId: Id.optional(),
        TokenId: MESSAGE_FILTERS.TokenId.optional(),
        OwnerId: Id.optional(),
        rows: queryInt(1, MAX_ANALYTICS_ROWS).default(100),
        token: QueryToken,
      })
      .refine(({ from, to }) => isPeriod(from, to), {
        path: ['to'],
        message: 'The period is empty or too long.',
        params: { rule: 'range' },
      })
      .refine(
        ({ from, beforeFrom, beforeTo }) =>
          beforeFrom === undefined
            ? beforeTo === undefined
            : beforeTo !== undefined &&
              isPeriod(beforeFrom, beforeTo) &&
              lasts(beforeTo, from) >= 0,
        {
          path: ['beforeTo'],
          message: 'The other period is empty or too long, or does not end before this one.',
          params: { rule: 'range' },
        },
      ),
    response: Analytics,
    cost: 'list',
    can: 'sendings.get',
    owner: 'read',
    summary: 'Retrieve figures of messages, grouped',
  }),
};
