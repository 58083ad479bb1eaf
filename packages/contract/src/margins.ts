import * as z from 'zod';
import { channelName } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { Day, Id, QueryToken, text } from './fields.ts';
import { SendingType } from './types.ts';

export const MARGIN_GROUPS = ['account', 'channel', 'type', 'country', 'operator', 'day'] as const;
export type MarginGroup = (typeof MARGIN_GROUPS)[number];
export const MAX_MARGIN_DAYS = 366;
/** Rows of an answer, those with the highest amounts. */
export const MAX_MARGIN_ROWS = 500;

/** What messages of a group were charged and cost. Those whose cost is not known are a row of their own. */
export const MarginRow = z.object({
  /** Id of the account, name of the channel, type, ISO code of the country, network code, or day. Null if not known. */
  key: z.string().nullable(),
  /** Of the account or the operator. */
  name: z.string().nullable(),
  messages: z.int(),
  units: z.int(),
  currency: z.string(),
  amount: z.number(),
  refunded: z.number(),
  /** Null where it is not known. */
  costCurrency: z.string().nullable(),
  cost: z.number().nullable(),
  /** Null without a cost, and where it has another currency. */
  margin: z.number().nullable(),
});
export type MarginRow = z.infer<typeof MarginRow>;

const MarginQuery = z
  .strictObject({
    from: Day,
    /** Inclusive. */
    to: Day,
    by: z.enum(MARGIN_GROUPS).default('channel'),
    OwnerId: Id.optional(),
    ChannelId: channelName.optional(),
    type: SendingType.optional(),
    country: text(2)
      .regex(/^[A-Z]{2}$/)
      .optional(),
    mccmnc: text(6)
      .regex(/^\d{5,6}$/)
      .optional(),
    token: QueryToken,
  })
  .superRefine(({ from, to }, ctx) => {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    if (days < 0 || days >= MAX_MARGIN_DAYS)
      ctx.addIssue({
        code: 'custom',
        path: ['to'],
        message: `A period has 1 to ${MAX_MARGIN_DAYS} days.`,
        params: { rule: 'period' },
      });
  });

export const margins = {
  get: endpoint('GET', '/margins', {
    query: MarginQuery,
    response: z.object({
      data: z.array(MarginRow),
      /** The same of all groups together, also of those that are not listed. */
      totals: z.array(MarginRow),
    }),
    can: 'margins.get',
    accept: 'managerUp',
    owner: 'read',
    cost: 'list',
    summary: 'Show what messages were charged, what they cost, and the difference',
  }),
};
