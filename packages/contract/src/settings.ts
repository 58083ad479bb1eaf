import { LOCALES } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, OwnerRef } from './fields.ts';
import { SettingsUser } from './settings-user.ts';
import { LEVELS, PERMISSIONS, type Permission } from './permissions.ts';
import { SendingType } from './types.ts';

/** Public settings of the installation, available without a session. */
export const Frontend = z.object({
  title: z.string(),
  brand: z.enum(['main', 'alternate']),
  colors: z.object({ primary: z.string(), accent: z.string() }),
  /** Paths of pictures, of the same picture if there is one for both schemes; null for the mark of the product. */
  logo: z.object({ light: z.string(), dark: z.string() }).nullable(),
  /** Of who has chosen no language; null for that of the browser. */
  locale: z.enum(LOCALES).nullable(),
  /** The installation's address, where the page is at the domain of a brand. Passkeys and identity providers work there alone. */
  home: z.string().nullable(),
  /** URLs of legal documents; null if there is none. */
  documents: z.object({ privacy: z.string().nullable(), offer: z.string().nullable() }),
  /** Contacts of support; null if there is none. */
  support: z.object({
    email: z.string().nullable(),
    phone: z.string().nullable(),
    chat: z.string().nullable(),
  }),
  /** Whether passwords can be recovered by e-mail. */
  recovery: z.boolean(),
  /** Whether one may sign in with a passkey: browsers make them for host names with TLS only. */
  passkeys: z.boolean(),
  /** Whether there are identity providers for all users (`GET /login/oidc`). */
  identityProviders: z.boolean(),
  /** Whether registration is open. */
  registration: z.boolean(),
  /** Whether nobody administers the installation yet (`POST /setup`). */
  setup: z.boolean(),
  /** Length limits of a new password, in characters. */
  password: z.object({ min: z.int(), max: z.int() }),
});
export type Frontend = z.infer<typeof Frontend>;

export const Settings = z.object({
  /** The signed-in user, and the user who opened the session by login-as. */
  session: z.object({
    UserId: Id,
    OwnerId: Id,
    username: z.string(),
    level: z.enum(LEVELS),
    isTest: z.boolean(),
    /** Sending is restricted until the phone number is confirmed. */
    isRestricted: z.boolean(),
    /** The account received the free credit, which is granted once per phone number. */
    hasFreeCredit: z.boolean(),
    impersonator: OwnerRef.nullable(),
    /** The level of the user requires a second factor. Until it is set up, other calls are refused. */
    mustSetUpSecondFactor: z.boolean(),
  }),
  frontend: Frontend,
  /**
   * Personal settings of the user; null in a session opened by login-as, which uses those of the impersonator, and for an API token
   * without `settingsUser.get`.
   */
  personal: SettingsUser.nullable(),
  billings: z.object({
    currency: z.string(),
    overdraft: z.number().optional(),
    processChildrenOperations: z.boolean(),
    /** Maximum amount by which a reseller's transfers can take its balance below zero, within its overdraft. */
    creditLine: z.number().optional(),
  }),
  sendings: z.object({
    /** Types that require a registered and approved sender name. */
    sendernamesCheck: z.array(SendingType),
    types: z.array(SendingType),
    /** Country of the account's phone, ISO 3166-1 alpha-2. Numbers without a calling code are parsed for it. */
    country: z.string(),
    /** Sender name granted to every new account. */
    grantedSender: z.string(),
    /** Maximum date range of message filters, in days. */
    range: z.int(),
    /** What `{unsubscribe}` looks like in a message. All links have this length. */
    unsubscribeLink: z.string(),
    /** Below which the short links of the installation are; null when another service answers them. */
    linksUrl: z.string().nullable(),
  }),
  payments: z.object({
    /** Names of the methods by which the balance can be topped up. */
    methods: z.array(z.string()),
    minAmount: z.number(),
    maxAmount: z.number(),
    /** Amounts that the top-up form starts with. */
    defaults: z.object({ individual: z.number(), legal: z.number() }),
    /** Payment form of a wallet provider; null if there is none for the currency of the account. */
    wallet: z.object({ url: z.string(), receiver: z.string(), commission: z.number() }).nullable(),
  }),
  /** Features of the installation. */
  advanced: z.object({
    /** Without requisites, invoices and legal payers. */
    isRestricted: z.boolean(),
    hasWallet: z.boolean(),
  }),
  /** What an installation may offer or not. */
  features: z.object({ integrations: z.boolean(), blog: z.string().nullable() }),
  /** What the user may do with other accounts. */
  secret: z.object({ loginAs: z.boolean() }),
  storage: z.object({ maxSize: z.int() }),
  /** Optional services of the installation. */
  tools: z.object({
    textGenerator: z.boolean(),
    /** Companies and banks can be looked up. */
    lookups: z.boolean(),
    /** Demo installation: `GET /simulator/messages` returns the messages to the user's own phone. */
    simulator: z.boolean(),
    /** Voices for speech synthesis; null if it is not available. */
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
    beforeSecondFactor: true,
    summary: 'Retrieve settings and permissions of the session',
  }),
};
