import { LOCALES, SENDING_TYPES } from '@heliograph/domain';
import * as z from 'zod';
import { Username } from './auth.ts';
import { arrayOf, Currency, Email, Id, Money, PersonName, Phone, text, Time } from './fields.ts';
import { LEVELS } from './permissions.ts';
import { SendingType } from './types.ts';

const types = arrayOf(SendingType, { max: SENDING_TYPES.length }).nullable();
const NotNegative = Money.min(0);
/** The longest time for which look-ups count, and for which what they found is kept. */
export const MAX_LOOKUP_DAYS = 30;

/**
 * What those who run an account set of it. Null: as the installation has it. A reseller sets `isTest`, `overdraft` and `types`, within
 * its own bounds; managers everything but the level, reseller and manager, which administrators set.
 */
export const AccountInput = z.strictObject({
  level: z.enum(LEVELS).optional(),
  ResellerId: Id.nullish(),
  ManagerId: Id.nullish(),
  isTest: z.boolean().optional(),
  overdraft: NotNegative.optional(),
  currency: Currency.nullish(),
  types: types.optional(),
  sendernamesCheck: types.optional(),
  /** For how many days messages are routed by the networks that the account has looked up. */
  lookupDays: z.int().min(0).max(MAX_LOOKUP_DAYS).nullish(),
  /** Whether numbers without such a network are looked up before messages to them are routed. */
  lookupFirst: z.boolean().nullish(),
  creditLine: NotNegative.nullish(),
  processChildrenOperations: z.boolean().nullish(),
  maxCustomers: z.int().min(0).max(1_000_000).nullish(),
  maxCustomerOverdraft: NotNegative.nullish(),
  /** Of a reseller: its tariffs may price messages below what it pays itself. */
  maySellBelowCost: z.boolean().nullish(),
});
export type AccountInput = z.output<typeof AccountInput>;

/** The username defaults to the e-mail. The person chooses the password by the link of the invitation. */
export const NewAccount = AccountInput.extend({
  username: Username.optional(),
  data: z.strictObject({
    email: Email.nullish(),
    phone: Phone.nullish(),
    firstName: PersonName.nullish(),
    lastName: PersonName.nullish(),
    country: text(60).nullish(),
  }),
  /** Language of the invitation; by default that of the browser. */
  locale: z.enum(LOCALES).optional(),
}).superRefine(({ username, data }, ctx) => {
  if (!username && !data.email)
    ctx.addIssue({
      code: 'custom',
      path: ['username'],
      message: 'A username or an e-mail is required.',
      params: { rule: 'required' },
    });
});
export type NewAccount = z.output<typeof NewAccount>;

/** A link that works once, with which the person chooses the password. */
export const Invitation = z.object({
  /** Where it was sent; null if it was not. */
  email: z.string().nullable(),
  /** The link, shown this one time to the caller, if it was not sent. */
  url: z.string().nullable(),
  expiresAt: Time,
});
export type Invitation = z.infer<typeof Invitation>;
