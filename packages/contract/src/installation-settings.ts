import {
  MAX_PASSWORD_LENGTH,
  MAX_QUIET_MINUTES,
  normalizeEmail,
  parseQuietItem,
  PASSWORD_LIMITS,
  quietMinutes,
  SENDING_TYPES,
} from '@heliograph/domain';
import * as z from 'zod';
import { arrayOf, Email, text, trimmed } from './fields.ts';
import { SendingType } from './types.ts';

export const SETTING_GROUPS = [
  'registration',
  'sending',
  'mail',
  'retention',
  'limits',
  'codes',
  'offers',
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];
/** A list is of names, in no order. */
export type SettingValue = string | number | boolean | string[];

interface Definition<V extends SettingValue> {
  group: SettingGroup;
  /** What administrators may set. */
  schema: z.ZodType<V>;
  /** Null: it is absent. */
  default: V | null;
  /** Is written and never shown. */
  isSecret?: true;
  /** Environment variables that lock it, besides the one of its own name. */
  locks?: readonly string[];
}

const of =
  (group: SettingGroup) =>
  <V extends SettingValue, D extends V | null>(
    schema: z.ZodType<V>,
    otherwise: D,
    more: Pick<Definition<V>, 'isSecret' | 'locks'> = {},
  ) => ({ group, schema, default: otherwise, ...more });

const registration = of('registration');
const sending = of('sending');
const mail = of('mail');
const retention = of('retention');
const limits = of('limits');
const codes = of('codes');
const offers = of('offers');

const MAX_WHOLE = 1_000_000_000;
const whole = (min: number, max = MAX_WHOLE) => z.int().min(min).max(max);
const decimals = (digits: number, max: number) =>
  z
    .number()
    .min(0)
    .max(max)
    .refine((value) => Number(value.toFixed(digits)) === value, {
      message: `At most ${digits} decimals are allowed.`,
      params: { rule: 'decimals' },
    });
/** Days after which rows are dropped; 0 keeps them. */
const days = (min: number) => whole(min, 36_500);

const Link = text(500).check(
  z.url({ protocol: /^https?$/, error: 'The link must start with https://.' }),
);

/** `smtps://name@mail.example`: the password is a setting of its own, so that nobody reads it. */
const isMailServer = (value: string): boolean => {
  const url = URL.parse(value);
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol)) return false;
  return (
    url.hostname !== '' && !url.password && !url.search && !url.hash && url.pathname.length < 2
  );
};
/** The address of `Name <address>`. */
export const mailAddressOf = (sender: string): string =>
  sender
    .slice(sender.lastIndexOf('<') + 1)
    .replace(/>$/, '')
    .trim();

/** The server and its password are set in one place: a password of the environment goes to no server of the cabinet. */
const SERVER = { locks: ['MAIL_TRANSPORT', 'SMTP_URL', 'SMTP_PASSWORD'] };
const LOCAL = /[<>\r\n]/;

/** Windows of all countries, and ten holidays of each. */
const MAX_QUIET_ITEMS = 2500;
/** `DE 20:00-08:00` and `DE 2026-12-25`: of each country one window at most. */
const QuietItems = arrayOf(text(30), { max: MAX_QUIET_ITEMS }).superRefine((items, ctx) => {
  const refuse = (rule: string, message: string) =>
    ctx.addIssue({ code: 'custom', message, params: { rule } });
  const parsed = items.map(parseQuietItem);
  const windows = parsed.flatMap((item) => (item?.window ? [{ ...item, ...item.window }] : []));
  const isWrong = parsed.indexOf(null);
  if (isWrong >= 0)
    refuse('quiet_item', `Expected DE 20:00-08:00 or DE 2026-12-25, not ${items[isWrong]}.`);
  if (windows.some((window) => !isQuietLength(quietMinutes(window))))
    refuse(
      'quiet_length',
      `The quiet hours must be between one minute and ${MAX_QUIET_MINUTES / 60} hours long.`,
    );
  const isTwice =
    new Set(items).size < items.length ||
    new Set(windows.map(({ country }) => country)).size < windows.length;
  if (isTwice) refuse('quiet_item', 'A day is listed twice, or a country has two windows.');
});
const isQuietLength = (minutes: number): boolean => minutes > 0 && minutes <= MAX_QUIET_MINUTES;

/**
 * The settings that administrators change while the installation runs. The environment goes first: what it gives is locked. Every process
 * applies a change within seconds.
 */
export const INSTALLATION_SETTINGS = {
  REGISTRATION: registration(z.enum(['open', 'closed']), 'open' as const),
  /** Attempts per network and hour. */
  REGISTRATION_LIMIT: registration(whole(1), 10),
  /** Registrations and requested e-mails per network and hour without a captcha; 0 always requires one. */
  CAPTCHA_AFTER: registration(whole(0), 3),
  /** In the currency of the installation; 0 for none. */
  REGISTRATION_CREDIT: registration(decimals(4, MAX_WHOLE), 70),
  REGISTRATION_SENDERNAME: registration(trimmed(40).min(1), 'DEMO'),
  PASSWORD_MIN: registration(whole(PASSWORD_LIMITS.min, 64), PASSWORD_LIMITS.min),
  PASSWORD_MAX: registration(whole(PASSWORD_LIMITS.max, MAX_PASSWORD_LENGTH), PASSWORD_LIMITS.max),
  /** Percent of the payments of a referred account. */
  REFERRAL_BONUS_PERCENT: registration(decimals(2, 100), 10),
  REFERRAL_BONUS_DAYS: registration(days(1), 365),
  /** Types that require an approved sender name; that of the account goes first. */
  SENDERNAMES_CHECK: sending(
    arrayOf(SendingType, { max: SENDING_TYPES.length }).refine(
      (types) => new Set(types).size === types.length,
      { message: 'A type is listed twice.', params: { rule: 'unique' } },
    ),
    [...SENDING_TYPES],
  ),
  /** When bulks to numbers of a country wait, beside the quiet hours of accounts. */
  COUNTRY_QUIET_HOURS: sending(QuietItems, [] as string[]),
  /** `log` is for trials, in the environment alone: it writes keys to the log. */
  MAIL_TRANSPORT: mail(z.enum(['off', 'smtp']), null, SERVER),
  SMTP_URL: mail(
    trimmed(500).refine(isMailServer, {
      message: 'Expected smtps://name@host or smtp://name@host:587, without a password.',
      params: { rule: 'mail_server' },
    }),
    null,
    SERVER,
  ),
  SMTP_PASSWORD: mail(text(500).min(1), null, { ...SERVER, isSecret: true }),
  MAIL_FROM: mail(
    trimmed(300).refine(
      (value) => {
        const address = mailAddressOf(value);
        return (
          normalizeEmail(address) !== null &&
          !LOCAL.test(address) &&
          (value === address || value.endsWith(`<${address}>`))
        );
      },
      { message: 'Expected an address, or Name <address>.', params: { rule: 'email' } },
    ),
    null,
  ),
  RETENTION_TEXTS_DAYS: retention(days(0), 365),
  RETENTION_VISITS_DAYS: retention(days(0), 90),
  RETENTION_NOTIFICATIONS_DAYS: retention(days(0), 90),
  RETENTION_FILES_DAYS: retention(days(0), 0),
  RETENTION_REPORTS_DAYS: retention(days(1), 90),
  RETENTION_REPORT_FILES_DAYS: retention(days(1), 7),
  RETENTION_AUDIT_DAYS: retention(days(0), 365),
  RETENTION_WEBHOOKS_DAYS: retention(days(2), 30),
  RETENTION_OTP_DAYS: retention(days(2), 93),
  /** Single messages per account and second. */
  RATE_MESSAGES: limits(whole(1), 1000),
  /** Automatic replies per account and hour. */
  REPLIES_PER_HOUR: limits(whole(1), 10_000),
  // Per account; 0 is unlimited.
  QUOTA_STORAGE_MB: limits(whole(0), 5000),
  QUOTA_CONTACTS: limits(whole(0), 5_000_000),
  QUOTA_LISTS: limits(whole(0), 1000),
  QUOTA_TEMPLATES: limits(whole(0), 1000),
  QUOTA_SENDERNAMES: limits(whole(0), 1000),
  QUOTA_LINKS: limits(whole(0), 100_000),
  QUOTA_TOKENS: limits(whole(0), 100),
  QUOTA_WEBHOOKS: limits(whole(0), 50),
  QUOTA_INTEGRATIONS: limits(whole(0), 20),
  QUOTA_SUPPRESSIONS: limits(whole(0), 1_000_000),
  QUOTA_PUSH_DEVICES: limits(whole(0), 1_000_000),
  QUOTA_WAPI: limits(whole(0), 20),
  QUOTA_OTP: limits(whole(0), 100),
  QUOTA_REQUISITES: limits(whole(0), 100),
  // One-time codes by number in a network, numbering range, network and widget; 0 is unlimited.
  OTP_PHONE_PER_MINUTE: codes(whole(0), 3),
  OTP_PHONE_PER_DAY: codes(whole(0), 20),
  OTP_PREFIX_PER_MINUTE: codes(whole(0), 120),
  OTP_ADDRESS_PER_HOUR: codes(whole(0), 60),
  OTP_WIDGET_PER_MINUTE: codes(whole(0), 1200),
  /** Codes that nobody confirms, by range of four digits, country and account, beside two for each confirmed one; 0 is unlimited. */
  OTP_UNCONFIRMED_PER_HOUR: codes(whole(0), 500),
  /** Codes that may be entered for a number, over all of its sessions from a network. */
  OTP_GUESSES_PER_HOUR: codes(whole(1), 20),
  /** Connections to other programs; only of the main brand. */
  INTEGRATIONS: offers(z.boolean(), true),
  /** No requisites, invoices and legal payers. */
  RESTRICTED_MODE: offers(z.boolean(), false),
  BLOG_URL: offers(Link, null),
  PRIVACY_URL: offers(Link, null),
  OFFER_URL: offers(Link, null),
  SUPPORT_EMAIL: offers(Email, null),
  SUPPORT_PHONE: offers(text(31).regex(/^[+\d][\d ()-]{3,30}$/), null),
  SUPPORT_CHAT_URL: offers(Link, null),
} as const satisfies Record<string, Definition<SettingValue>>;

export type SettingName = keyof typeof INSTALLATION_SETTINGS;
export const SETTING_NAMES = Object.keys(INSTALLATION_SETTINGS) as [SettingName, ...SettingName[]];
export const definitionOf = (name: SettingName): Definition<SettingValue> =>
  INSTALLATION_SETTINGS[name];

export type SettingValues = {
  [K in SettingName]: z.output<(typeof INSTALLATION_SETTINGS)[K]['schema']>;
};

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
/** A setting that applies: of the environment, of the cabinet, or by default. */
export const InstallationSetting = z.object({
  name: z.enum(SETTING_NAMES),
  /** Null if it is absent or secret. */
  value: Value.nullable(),
  default: Value.nullable(),
  /** Whether it has another value than by default, which a secret does not show. */
  isSet: z.boolean(),
  isSecret: z.boolean(),
  /** The environment variable that gives it: it cannot be changed here. */
  lockedBy: z.string().nullable(),
  /** When it was set here, and by whom. */
  changedAt: z.iso.datetime().nullable(),
  changedBy: z.string().nullable(),
});
export type InstallationSetting = z.infer<typeof InstallationSetting>;

const inputs = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, definitionOf(name).schema.nullable().optional()]),
) as { [K in SettingName]: z.ZodOptional<z.ZodNullable<z.ZodType<SettingValues[K]>>> };
/** Those that change; null: as by default. */
export const InstallationSettingsInput = z.strictObject(inputs);
export type InstallationSettingsInput = z.infer<typeof InstallationSettingsInput>;
