import {
  areRising,
  hasCents,
  isTariffValue,
  MAX_CALL_INTERVAL,
  MAX_VOLUME_STEPS,
  PRICE_LIST_REASONS,
} from '@heliograph/domain';
import * as z from 'zod';
import { ById, endpoint, Removed } from './endpoint.ts';
import { arrayOf, Id, Money, OwnerRef, queryInt, text, Time, Title, trimmed } from './fields.ts';
import { listQuery, page, Scoped } from './list.ts';
import { SendingType } from './types.ts';

export const RULE_TAGS = [
  'text',
  'recipient',
  'type',
  'sender',
  'keywords',
  'contactList',
  'group',
  'mccmnc',
] as const;
const Price = Money.min(0);
/** Calls are charged by their length: for the first seconds at once, then for each interval that has begun. */
export const CallIntervals = z.object({ first: z.int(), interval: z.int() });
export type CallIntervals = z.infer<typeof CallIntervals>;
export const TariffRule = z.object({
  id: z.string(),
  action: z.enum(['increase', 'decrease']),
  /** For voice: [per call, per second]. */
  price: z.union([Price, z.array(Price).min(1).max(2)]),
  conditions: z.array(
    z.object({ tag: z.enum(RULE_TAGS), value: z.union([z.string(), z.array(z.string())]) }),
  ),
  priority: z.int32(),
  /** Of a price of calls. Absent: they cost what the length of their text or recording says. */
  byLength: CallIntervals.optional(),
});
export type TariffRule = z.infer<typeof TariffRule>;

/** From so many billed units of a month on, prices are lower. */
export const VolumeStep = z.object({ from: z.int(), percent: z.number() });
export type VolumeStep = z.infer<typeof VolumeStep>;

export const UserTariff = z.object({
  id: Id,
  title: z.string(),
  source: z.string(),
  /** Of the rules, as a bill names it. */
  version: z.int(),
  /** Made by the reseller of the account. */
  isOfReseller: z.boolean(),
  priority: z.int32(),
  finalRules: z.array(TariffRule),
  /** The same rules, under the name that accounts have them by. */
  data: z.object({ rules: z.array(TariffRule) }),
  volumeSteps: z.array(VolumeStep),
});

export const Tariff = z.object({
  id: Id,
  title: z.string(),
  source: z.string(),
  /** The tariff as assigned to the account, with the account's priority. */
  usersTariffs: z.array(UserTariff),
  createdAt: Time,
});
export type Tariff = z.infer<typeof Tariff>;

/** A tariff with its rules, for those who set prices. */
export const CatalogueTariff = z.object({
  id: Id,
  title: z.string(),
  source: z.string(),
  /** Assigned to new accounts. */
  isDefault: z.boolean(),
  /** For whose customers it is; null for those of the installation. */
  ResellerId: Id.nullable(),
  /** Number of accounts that have it. */
  accounts: z.int(),
  /** In force. */
  version: z.int(),
  rules: z.array(TariffRule),
  volumeSteps: z.array(VolumeStep),
  createdAt: Time,
  updatedAt: Time,
});
export type CatalogueTariff = z.infer<typeof CatalogueTariff>;

/** Rules of a tariff from a time on. Versions are added and never changed. */
export const TariffVersion = z.object({
  number: z.int(),
  startsAt: Time,
  isInForce: z.boolean(),
  rules: z.array(TariffRule),
  volumeSteps: z.array(VolumeStep),
  /** Null for those of the command line, and of before versions. */
  Author: OwnerRef.nullable(),
  createdAt: Time,
});
export type TariffVersion = z.infer<typeof TariffVersion>;

const MAX_VALUES = 500;
const TariffCondition = z
  .strictObject({
    tag: z.enum(RULE_TAGS),
    value: z.union([text(100), arrayOf(text(100), { min: 1, max: MAX_VALUES })]),
  })
  .superRefine(({ tag, value }, ctx) => {
    if (![value].flat().every((one) => isTariffValue(tag, one)))
      ctx.addIssue({
        code: 'custom',
        path: ['value'],
        message: 'No message can meet this condition.',
        params: { rule: 'invalid_value' },
      });
  });
const Interval = z.int().min(1).max(MAX_CALL_INTERVAL);
export const CallIntervalsInput = z.strictObject({ first: Interval, interval: Interval });
/** Ids are given by the server. */
export const TariffRuleInput = z
  .strictObject({
    action: z.enum(['increase', 'decrease']),
    price: z.union([Price, arrayOf(Price, { min: 1, max: 2 })]),
    conditions: arrayOf(TariffCondition, { max: RULE_TAGS.length }),
    priority: z.int32(),
    byLength: CallIntervalsInput.optional(),
  })
  .superRefine(({ action, price, conditions, byLength }, ctx) => {
    const isOfCalls = conditions.every(
      ({ tag, value }) => tag !== 'type' || [value].flat().includes('voice'),
    );
    if (byLength && (action !== 'increase' || [price].flat().length < 2 || !isOfCalls))
      ctx.addIssue({
        code: 'custom',
        path: ['byLength'],
        message: 'Only a price of calls, with a price per second, is by their length.',
        params: { rule: 'price_of_calls' },
      });
  });
/** Words and fragments of all rules of a tariff: each message is searched for them. */
const MAX_WORDS = 500;
const MAX_RULES = 500;
const rules = arrayOf(TariffRuleInput, { max: MAX_RULES }).superRefine((all, ctx) => {
  const searched = all.flatMap(({ conditions }) =>
    conditions.filter(({ tag }) => tag === 'text' || tag === 'keywords'),
  );
  if (searched.flatMap(({ value }) => value).length > MAX_WORDS)
    ctx.addIssue({
      code: 'custom',
      message: `The rules of a tariff have at most ${MAX_WORDS} words and texts.`,
      params: { rule: 'too_big' },
    });
});
const MAX_UNITS = 1_000_000_000;
const VolumeStepInput = z.strictObject({
  from: z.int().min(1).max(MAX_UNITS),
  percent: z
    .number()
    .gt(0)
    .lt(100)
    .refine(hasCents, {
      message: 'A percentage has at most two decimals.',
      params: { rule: 'cents' },
    }),
});
const volumeSteps = arrayOf(VolumeStepInput, { max: MAX_VOLUME_STEPS }).superRefine(
  (steps, ctx) => {
    const at = steps.findIndex((_, i) => !areRising(steps.slice(0, i + 1)));
    if (at >= 0)
      ctx.addIssue({
        code: 'custom',
        path: [at, steps[at]!.from > steps[at - 1]!.from ? 'percent' : 'from'],
        message: 'A step starts later and takes off more than the one before it.',
        params: { rule: 'rising' },
      });
  },
);
export const TariffInput = z.strictObject({
  title: Title,
  /** A message type to which all rules are limited, or any other word. */
  source: trimmed(40).min(1),
  isDefault: z.boolean(),
  rules,
  /** Absent: none; of a change: those that it has. */
  volumeSteps: volumeSteps.optional(),
});
export type TariffInput = z.output<typeof TariffInput>;
/** The type of a tariff stays: rules would mean something else, also those that bills name. */
export const TariffChange = TariffInput.extend({
  /** Absent: at once. */
  startsAt: Time.optional(),
});
export type TariffChange = z.output<typeof TariffChange>;
/** Rules that are not stored. */
const TariffDraft = TariffInput.pick({ source: true, rules: true });
const PricedDraft = TariffDraft.extend(TariffInput.pick({ volumeSteps: true }).shape);

/** A price list in a spreadsheet, an .xlsx or a text file, and the rules that it is applied to. */
export const PriceListInput = z.strictObject({
  from: z.strictObject({ key: Id }),
  rules,
});
/** What a price list makes of rules. Nothing is stored: the rules are saved with the tariff. */
const CallPrice = z.object({ perSecond: z.number(), byLength: CallIntervals.optional() });
export const PriceListPreview = z.object({
  rows: z.int(),
  /** Rules from each day of the list on; null is at once. */
  versions: z.array(
    z.object({
      from: z.string().nullable(),
      rules: z.array(TariffRule.omit({ id: true })),
      /** From the version before it, or from the rules that were given. */
      changes: z.array(
        z.object({
          type: SendingType.nullable(),
          /** A network, `401*` or a prefix; null for the price of a type. */
          target: z.string().nullable(),
          before: z.number().nullable(),
          after: z.number().nullable(),
          /** Where either of them has a price per second. */
          call: z.object({ before: CallPrice.nullable(), after: CallPrice.nullable() }).optional(),
        }),
      ),
      changed: z.int(),
    }),
  ),
  /** Networks that no numbering plan of the installation has. */
  unknown: z.array(z.string()),
  rejected: z.array(z.object({ row: z.int(), reason: z.enum(PRICE_LIST_REASONS) })),
  rejectedCount: z.int(),
});
export type PriceListPreview = z.infer<typeof PriceListPreview>;

/** A message whose price is asked for. */
export const TariffProbeInput = z.strictObject({
  OwnerId: Id.optional(),
  type: SendingType,
  sender: text(100),
  recipient: text(100).min(1),
  text: text(2000),
  contactLists: arrayOf(Id, { max: 20 }).optional(),
  draft: PricedDraft.optional(),
  /** Absent: what the account has; with a draft, nothing. */
  volume: z.int().min(0).max(MAX_UNITS).optional(),
});

/** What a message would cost, and by which rules: of the prices that an account has now. */
export const TariffProbe = z.object({
  /** Of one unit: `[per message]`, for calls `[per call, per second]`. Null if no rule sets a price. */
  price: z.array(z.number()).nullable(),
  multiplier: z.int(),
  amount: z.number().nullable(),
  /** Absent where the tariff that set the price has no volume steps. */
  volume: z
    .object({
      /** Units of the month before the message. */
      units: z.int(),
      /** In force; null before the first one. Price and amount are those after it. */
      step: VolumeStep.nullable(),
      next: VolumeStep.nullable(),
    })
    .optional(),
  /** The prepaid package of the account that covers the message, which then costs nothing. */
  PackageId: Id.optional(),
  currency: z.string(),
  mccmnc: z.string().nullable(),
  operator: z.string().nullable(),
  group: z.string(),
  /** The rule that set the price, then the discounts, in the order in which they are applied. */
  rules: z.array(
    TariffRule.extend({ TariffId: Id.nullable(), tariff: z.string(), version: z.int() }),
  ),
});
export type TariffProbe = z.infer<typeof TariffProbe>;

/** What an account has used of a tariff with volume steps in the current month. */
export const TariffVolume = z.object({
  TariffId: Id,
  tariff: z.string(),
  startsAt: Time,
  /** When the units begin at 0 again. */
  endsAt: Time,
  units: z.int(),
  /** In force; null before the first one. */
  step: VolumeStep.nullable(),
  next: VolumeStep.nullable(),
  /** Units until the next step; null after the last one. */
  left: z.int().nullable(),
});
export type TariffVolume = z.infer<typeof TariffVolume>;

export const MAX_COMPARED_DAYS = 31;
/** Messages of a comparison, the accounts in the order of their ids and each with its latest ones first. */
export const MAX_COMPARED_MESSAGES = 1_000_000;
/** Rows of an answer, those with the greatest differences. */
export const MAX_COMPARISON_ROWS = 1000;
export const COMPARISON_STATES = ['pending', 'running', 'completed', 'failed'] as const;

const Version = z.int().min(1).max(2_147_483_647);
/** Rules of a tariff: of a version, or absent those in force. */
const ComparedTariff = z.strictObject({ TariffId: Id, version: Version.optional() });

/** What messages of a period would have cost by one tariff, and by other rules in its place. */
export const TariffComparisonInput = z
  .strictObject({
    first: ComparedTariff,
    /** Rules that are not stored, or a tariff. */
    second: z.union([z.strictObject({ draft: TariffDraft }), ComparedTariff]),
    from: Time,
    /** Exclusive. */
    to: Time,
    /** Of the accounts that have the first tariff, this one. */
    OwnerId: Id.optional(),
  })
  .superRefine(({ from, to }, ctx) => {
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    // An hour more where clocks go back.
    if (!(days > 0 && days <= MAX_COMPARED_DAYS + 1 / 24))
      ctx.addIssue({
        code: 'custom',
        path: ['to'],
        message: `A period has at most ${MAX_COMPARED_DAYS} days.`,
        params: { rule: 'period' },
      });
  });
export type TariffComparisonInput = z.output<typeof TariffComparisonInput>;

const ComparedAmounts = z.object({
  currency: z.string(),
  /** Charged in the period and not refunded. */
  messages: z.int(),
  /** Of these, those that both price. The amounts are theirs. */
  compared: z.int(),
  /** What was charged. */
  billed: z.number(),
  first: z.number(),
  second: z.number(),
  difference: z.number(),
  /** Of the first; null where that is 0. */
  percent: z.number().nullable(),
  /** Messages that the first, or the second, has no price for. */
  withoutFirst: z.int(),
  withoutSecond: z.int(),
  /** Messages of which is not known any more what the rules ask for. */
  unknown: z.int(),
});

export const ComparisonRow = ComparedAmounts.extend({
  OwnerId: Id,
  username: z.string(),
  /** Null in rows of accounts. */
  type: SendingType.nullable(),
  /** Null in rows of accounts, and where it is not known. */
  mccmnc: z.string().nullable(),
  operator: z.string().nullable(),
  /** Of the network, by ISO code; null if it is not known. */
  country: z.string().nullable(),
});
export type ComparisonRow = z.infer<typeof ComparisonRow>;

export const TariffComparison = z.object({
  id: Id,
  state: z.enum(COMPARISON_STATES),
  from: Time,
  to: Time,
  /** Messages so far. */
  processed: z.int(),
  /** Messages of the period; null before they are counted. */
  total: z.int().nullable(),
  /** There are more messages than a comparison reads. */
  isCut: z.boolean(),
  /** One for each currency. */
  totals: z.array(ComparedAmounts),
  /** Accounts, or types and networks of one. */
  data: z.array(ComparisonRow),
  /** There are more rows. */
  hasMore: z.boolean(),
});
export type TariffComparison = z.infer<typeof TariffComparison>;

const changing = { accept: 'resellerUp', sessionOnly: true } as const;

export const tariffs = {
  find: endpoint('GET', '/tariffs', {
    query: listQuery({
      order: ['createdAt', 'title'],
      filter: { id: Id, source: text(40), OwnerId: Id },
      range: ['createdAt'],
      search: true,
      limit: 20,
    }),
    response: page(Tariff),
    can: 'tariffs.get',
    owner: 'read',
  }),
  get: endpoint('GET', '/tariffs/:id', {
    params: ById,
    query: Scoped,
    response: Tariff,
    can: 'tariffs.get',
  }),
  volumes: endpoint('GET', '/tariffVolumes', {
    query: z.strictObject({ OwnerId: Id.optional() }),
    response: z.object({ data: z.array(TariffVolume) }),
    can: 'tariffs.get',
    owner: 'read',
    summary: 'Show what an account has used of its tariffs with volume steps in the current month',
  }),
  catalogue: endpoint('GET', '/tariffCatalogue', {
    query: listQuery({ order: ['createdAt', 'title'], search: true, limit: 20 }),
    response: page(CatalogueTariff),
    can: 'tariffs.update',
    ...changing,
    summary:
      'List all tariffs, for a reseller its own, with their rules and the number of their accounts',
  }),
  catalogueGet: endpoint('GET', '/tariffCatalogue/:id', {
    params: ById,
    response: CatalogueTariff,
    can: 'tariffs.update',
    ...changing,
    summary: 'Retrieve a tariff with its rules and the number of its accounts',
  }),
  versions: endpoint('GET', '/tariffCatalogue/:id/versions', {
    params: ById,
    query: listQuery({ order: ['startsAt'], limit: 20 }),
    response: page(TariffVersion),
    can: 'tariffs.update',
    ...changing,
    summary: 'List the versions of a tariff: former ones, the one in force and those to come',
  }),
  withdraw: endpoint('DELETE', '/tariffs/:id/versions/:number', {
    params: ById.extend({ number: queryInt(1, 2_147_483_647) }),
    response: Removed,
    can: 'tariffs.update',
    audit: 'tariffs.withdraw',
    ...changing,
    summary: 'Remove a version of a tariff that has not started',
  }),
  create: endpoint('POST', '/tariffs', {
    body: TariffInput,
    bodyLimit: 1024 * 1024,
    response: CatalogueTariff,
    status: 201,
    can: 'tariffs.create',
    idempotent: true,
    quota: 'tariffs',
    audit: 'tariffs.create',
    ...changing,
  }),
  replace: endpoint('PUT', '/tariffs/:id', {
    params: ById,
    body: TariffChange,
    bodyLimit: 1024 * 1024,
    response: CatalogueTariff,
    can: 'tariffs.update',
    audit: 'tariffs.update',
    ...changing,
    summary:
      'Replace the title of a tariff, and its rules by a new version from now or a later time on',
  }),
  remove: endpoint('DELETE', '/tariffs/:id', {
    params: ById,
    response: Removed,
    can: 'tariffs.remove',
    audit: 'tariffs.remove',
    ...changing,
  }),
  assign: endpoint('PUT', '/users/:id/tariffs', {
    params: ById,
    body: z.strictObject({
      tariffs: arrayOf(z.strictObject({ id: Id, priority: z.int32() }), { max: 50 }),
    }),
    response: z.object({ data: z.array(UserTariff) }),
    can: 'tariffs.update',
    audit: 'tariffs.assign',
    ...changing,
    summary: 'Replace the tariffs of an account; for a reseller, those that are its own',
  }),
  priceList: endpoint('POST', '/tariffs/priceList', {
    bound: 'nothing',
    body: PriceListInput,
    bodyLimit: 1024 * 1024,
    response: PriceListPreview,
    can: 'tariffs.update',
    cost: 'estimate',
    ...changing,
    summary: 'Show what a price list of networks and prefixes makes of the rules of a tariff',
  }),
  compare: endpoint('POST', '/tariffs/comparisons', {
    body: TariffComparisonInput,
    bodyLimit: 1024 * 1024,
    response: TariffComparison,
    status: 201,
    can: 'tariffs.update',
    owner: 'write',
    // Of a user there is one.
    bound: 'limiter',
    cost: 'estimate',
    ...changing,
    summary:
      'Compute what messages of a period would cost by a tariff, and by another one or a draft in its place',
  }),
  comparison: endpoint('GET', '/tariffs/comparisons/:id', {
    params: ById,
    query: z.strictObject({ OwnerId: Id.optional() }),
    response: TariffComparison,
    can: 'tariffs.update',
    owner: 'read',
    ...changing,
    summary: 'Show the accounts of a comparison of tariffs, or the types and networks of one',
  }),
  probe: endpoint('POST', '/tariffs/probe', {
    bound: 'nothing',
    body: TariffProbeInput,
    bodyLimit: 1024 * 1024,
    response: TariffProbe,
    can: 'tariffs.get',
    owner: 'write',
    cost: 'estimate',
    summary: 'Show which rules of the tariffs of an account, or of a draft, price a message',
  }),
};
