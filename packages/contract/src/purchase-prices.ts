import { isPurchaseDestination, PRICE_REASONS } from '@heliograph/domain';
import * as z from 'zod';
import { channelName } from './channels.ts';
import { SHEET_NAME_LENGTH } from './contacts.ts';
import { endpoint } from './endpoint.ts';
import { arrayOf, Currency, Id, text, Time } from './fields.ts';
import { listQuery, page } from './list.ts';
import { CallIntervals, CallIntervalsInput } from './tariffs.ts';
import { SendingType } from './types.ts';

/** Prices of one list: networks of all countries, for several types. */
export const MAX_PURCHASE_PRICES = 10_000;
const MAX_PRICE = 999_999;
const LIST_BODY_LIMIT = 1024 * 1024;
/** A price of calls has six, with the two of its intervals. */
const LIST_FIELDS = 6 * MAX_PURCHASE_PRICES + 10;
const MAX_DESTINATION = 16;

const UnitPrice = z
  .number()
  .min(0)
  .max(MAX_PRICE)
  .refine((price) => Number(price.toFixed(6)) === price, {
    message: 'A price has up to six decimals.',
    params: { rule: 'decimals' },
  });
const destination = text(MAX_DESTINATION).refine(isPurchaseDestination, {
  message: 'Expected a network, a prefix, a country code followed by *, a country or *.',
  params: { rule: 'destination' },
});

/**
 * What a carrier takes for a segment of sms, smsping and mms, for a message of another type, or for a minute of calls that it bills by their
 * length.
 */
export const PurchasePrice = z
  .strictObject({
    type: SendingType,
    destination,
    price: UnitPrice,
    byLength: CallIntervalsInput.optional(),
  })
  .superRefine(({ type, byLength }, ctx) => {
    if (byLength && type !== 'voice')
      ctx.addIssue({
        code: 'custom',
        path: ['byLength'],
        message: 'Only a price of calls is by their length.',
        params: { rule: 'price_of_calls' },
      });
  });
export type PurchasePrice = z.infer<typeof PurchasePrice>;

/** A price list of a carrier. It is in force until a later one of the same channel begins. */
export const PurchasePriceList = z.object({
  id: Id,
  ChannelId: z.string(),
  currency: z.string(),
  validFrom: Time,
  /** Whether its prices hold now. */
  isInForce: z.boolean(),
  /** Number of prices. */
  count: z.int(),
  createdAt: Time,
});
export type PurchasePriceList = z.infer<typeof PurchasePriceList>;
const PurchasePriceListWithPrices = PurchasePriceList.extend({ prices: z.array(PurchasePrice) });

export const PurchasePriceListInput = z
  .strictObject({
    currency: Currency,
    /** Now, if absent. */
    validFrom: Time.optional(),
    prices: arrayOf(PurchasePrice, { min: 1, max: MAX_PURCHASE_PRICES }),
    /** The other prices of the list that is in force at `validFrom` are kept. */
    isPartial: z.boolean().default(false),
  })
  .superRefine(({ prices }, ctx) => {
    const seen = new Set<string>();
    for (const [i, one] of prices.entries()) {
      const key = `${one.type} ${one.destination}`;
      if (seen.has(key))
        ctx.addIssue({
          code: 'custom',
          path: ['prices', i, 'destination'],
          message: 'Another price is for the same destination.',
          params: { rule: 'unique' },
        });
      seen.add(key);
    }
  });
export type PurchasePriceListInput = z.output<typeof PurchasePriceListInput>;

/** In the order in which a preview names them. */
export const PRICE_DIFFERENCES = ['raised', 'lowered', 'intervals', 'added', 'removed'] as const;
/** Differences that a preview names. */
export const MAX_PRICE_DIFFERENCES = 200;

const PriceOfDifference = z.object({ price: z.number(), byLength: CallIntervals.optional() });
export const PriceDifference = z.object({
  kind: z.enum(PRICE_DIFFERENCES),
  type: SendingType,
  destination: z.string(),
  before: PriceOfDifference.nullable(),
  after: PriceOfDifference.nullable(),
});
export type PriceDifference = z.infer<typeof PriceDifference>;

/** What a file would make of the prices of a channel. Nothing is stored. */
export const PurchasePriceListPreview = z.object({
  /** All prices of the list that it would be. */
  prices: z.array(PurchasePrice),
  /** Those that the file names, for a list with `isPartial`. */
  fromFile: z.array(PurchasePrice),
  /** Rows of the file that are not taken, the first hundred of them. */
  problems: z.array(z.object({ n: z.int(), reason: z.enum(PRICE_REASONS) })),
  /** Number of rows that are not taken. */
  refused: z.int(),
  /** Against the list that is in force at `validFrom`. */
  changes: z.object({
    added: z.int(),
    removed: z.int(),
    raised: z.int(),
    lowered: z.int(),
    /** Of other intervals than before, whatever the price. */
    intervals: z.int(),
    unchanged: z.int(),
  }),
  /** The same one by one, the first of them. */
  differences: z.array(PriceDifference),
  /** Names of the sheets of a workbook, and of the one that was read. */
  sheets: z.array(z.string()),
  sheet: z.string().nullable(),
});
export type PurchasePriceListPreview = z.infer<typeof PurchasePriceListPreview>;

const ofChannel = z.object({ channel: channelName });
const one = z.object({ channel: channelName, id: Id });
const changing = {
  can: 'purchasePrices.update',
  accept: 'managerUp',
  sessionOnly: true,
} as const;

export const purchasePrices = {
  find: endpoint('GET', '/channels/:channel/prices', {
    params: ofChannel,
    query: listQuery({ order: ['validFrom'], range: ['validFrom'], limit: 20 }),
    response: page(PurchasePriceList),
    can: 'purchasePrices.get',
    accept: 'managerUp',
  }),
  get: endpoint('GET', '/channels/:channel/prices/:id', {
    params: one,
    response: PurchasePriceListWithPrices,
    can: 'purchasePrices.get',
    accept: 'managerUp',
  }),
  preview: endpoint('POST', '/channels/:channel/prices/preview', {
    params: ofChannel,
    body: z.strictObject({
      /** The id of an uploaded spreadsheet, an .xlsx or a text file. */
      from: z.strictObject({ key: Id }),
      /** The first one with a header of prices, if absent. */
      sheet: text(SHEET_NAME_LENGTH).optional(),
      currency: Currency,
      /** Now, if absent. */
      validFrom: Time.optional(),
      /** Of rows that name none. */
      type: SendingType.default('sms'),
      /** Prices of the list in force at `validFrom` that the file does not name are kept. */
      isPartial: z.boolean().default(false),
    }),
    response: PurchasePriceListPreview,
    cost: 'file',
    bound: 'nothing',
    summary: 'Check a price list of a stored file; stores nothing',
    ...changing,
  }),
  create: endpoint('POST', '/channels/:channel/prices', {
    params: ofChannel,
    body: PurchasePriceListInput,
    bodyLimit: LIST_BODY_LIMIT,
    maxFields: LIST_FIELDS,
    response: PurchasePriceList,
    status: 201,
    idempotent: true,
    audit: 'purchasePrices.create',
    ...changing,
  }),
  remove: endpoint('DELETE', '/channels/:channel/prices/:id', {
    params: one,
    response: z.object({ id: Id }),
    audit: 'purchasePrices.remove',
    summary: 'Remove a price list; costs that were noted by it remain',
    ...changing,
  }),
};
