import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, OwnerRef } from './fields.ts';
import { LEVELS, PERMISSIONS, type Permission } from './permissions.ts';
import { SendingType } from './types.ts';

/** What the product is called and looks like: of the installation, the same for everybody and before anybody signs in. */
export const Frontend = z.object({
  title: z.string(),
  brand: z.enum(['main', 'alternate']),
  colors: z.object({ primary: z.string(), accent: z.string() }),
  /** Addresses of what has to be accepted and read; null where the installation has none. */
  documents: z.object({ privacy: z.string().nullable(), offer: z.string().nullable() }),
  /** Letters are sent, so that a forgotten password can be recovered. */
  recovery: z.boolean(),
  /** Accounts can be opened by whoever wants one. */
  registration: z.boolean(),
  /** How long a new password must and may be. */
  password: z.object({ min: z.int(), max: z.int() }),
});
export type Frontend = z.infer<typeof Frontend>;

export const Settings = z.object({
  /** Who is signed in, and who opened the session in its name by login-as. */
  session: z.object({
    UserId: Id,
    OwnerId: Id,
    username: z.string(),
    level: z.enum(LEVELS),
    isTest: z.boolean(),
    /** What the account may send is limited until its phone is confirmed. */
    isRestricted: z.boolean(),
    /** The account got the free credit; another one of the same phone had it otherwise. */
    hasFreeCredit: z.boolean(),
    impersonator: OwnerRef.nullable(),
  }),
  frontend: Frontend,
  billings: z.object({
    currency: z.string(),
    overdraft: z.number(),
    processChildrenOperations: z.boolean(),
    /** How far below zero a reseller's transfers may take its balance, within its overdraft. */
    creditLine: z.number(),
  }),
  sendings: z.object({
    /** Types that need a registered, approved sender name. */
    sendernamesCheck: z.array(SendingType),
    types: z.array(SendingType),
    /** ISO 3166-1 alpha-2, of the account's phone: whose plan numbers without a calling code are of. */
    country: z.string(),
    /** The name that every new account is given for its first messages. */
    grantedSender: z.string(),
    /** Longest span of days that message filters take. */
    range: z.int(),
  }),
  storage: z.object({ maxSize: z.int() }),
  /** Services that this installation has beside its own work. */
  tools: z.object({
    textGenerator: z.boolean(),
    /** A demonstration: `GET /simulator/messages` shows what comes to one's own phone. */
    simulator: z.boolean(),
    /** The voices that a text can be spoken with; null where nothing speaks. */
    speech: z
      .object({
        voices: z.array(z.object({ id: z.string(), synthesizer: z.string(), name: z.string() })),
        voice: z.string(),
      })
      .nullable(),
  }),
  permissions: z.partialRecord(
    z.enum(Object.keys(PERMISSIONS) as [Permission, ...Permission[]]),
    z.enum(LEVELS),
  ),
  version: z.string(),
});
export type Settings = z.infer<typeof Settings>;

export const settings = {
  get: endpoint('GET', '/settings', {
    response: Settings,
    can: 'session',
    summary: 'Settings and permissions of the session',
  }),
};
