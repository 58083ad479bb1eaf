import { LOCALES, MAX_TIME_ZONE_LENGTH } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import {
  NOTIFICATION_SETTING_KEYS,
  NotificationSetting,
  NotificationSettingInput,
  type NotificationSettingKey,
} from './notification-settings.ts';
import {
  WEBHOOK_SETTING_KEYS,
  WebhookSetting,
  WebhookSettingInput,
  type WebhookSettingKey,
} from './webhooks.ts';
import { arrayOf, Id, recordOf, text, Time, TimeZone, trimmed } from './fields.ts';

/** Views of one list, and lists of one user. */
export const MAX_VIEWS = 50;
export const MAX_LISTS = 200;
/** Characters of one value as JSON. */
export const MAX_SETTING_LENGTH = 16_000;

export const THEMES = ['light', 'dark', 'system'] as const;
export const REPORT_ENCODINGS = ['win1251', 'utf8', 'win1252', 'maccyrillic'] as const;
export type ReportEncoding = (typeof REPORT_ENCODINGS)[number];
export const REPORT_FORMATS = ['csv', 'xlsx'] as const;
export const REPORT_DELIMITERS = [';', ','] as const;
export type ReportDelimiter = (typeof REPORT_DELIMITERS)[number];
const DELIMITER_NAMES = { semicolon: ';', comma: ',' } as const;
type DelimiterName = keyof typeof DELIMITER_NAMES;
/** The character, or its name. */
export const ReportDelimiter = z.preprocess(
  (given) =>
    typeof given === 'string' && Object.hasOwn(DELIMITER_NAMES, given)
      ? DELIMITER_NAMES[given as DelimiterName]
      : given,
  z.enum(REPORT_DELIMITERS),
) as unknown as z.ZodType<ReportDelimiter, ReportDelimiter | DelimiterName>;
export const DENSITIES = ['comfortable', 'compact'] as const;

const Columns = recordOf(text(40).min(1), z.boolean(), 60);

/** The view settings of one list: columns shown or hidden by the user, and named views. */
export const ListSettings = z
  .strictObject({
    columns: Columns,
    /** `query` is the query string of the list page. */
    views: arrayOf(
      z.strictObject({ name: trimmed(60).min(1), query: text(2000), columns: Columns }),
      { max: MAX_VIEWS },
    ),
  })
  .partial();
export type ListSettings = z.output<typeof ListSettings>;

/** What was last chosen in the report dialog. */
export const ReportDefaults = z
  .strictObject({
    format: z.enum(REPORT_FORMATS),
    encoding: z.enum(REPORT_ENCODINGS),
    delimiter: ReportDelimiter,
  })
  .partial();

/** The personal settings of a user, by key. Settings of lists have keys of their own, `list.<name>`. */
export const USER_SETTINGS = {
  locale: z.enum(LOCALES),
  timeZone: TimeZone,
  theme: z.enum(THEMES),
  density: z.enum(DENSITIES),
  /** Single-key shortcuts. */
  shortcuts: z.boolean(),
  /** Personal data is blurred on all pages. */
  hidePersonalData: z.boolean(),
  reports: ReportDefaults,
};
export type UserSettingName = keyof typeof USER_SETTINGS;

const LIST_KEY = /^list\.[A-Za-z][A-Za-z0-9-]*$/;
export type ListSettingsKey = `list.${string}`;

export const UserSettingKey = z.union([
  z.enum(Object.keys(USER_SETTINGS) as [UserSettingName, ...UserSettingName[]]),
  z.enum(WEBHOOK_SETTING_KEYS),
  z.enum(NOTIFICATION_SETTING_KEYS),
  text(45).regex(LIST_KEY, 'The setting is unknown.') as unknown as z.ZodType<ListSettingsKey>,
]);
export type UserSettingKey = z.output<typeof UserSettingKey>;
export const isWebhookSetting = (key: UserSettingKey): key is WebhookSettingKey =>
  key.startsWith('webhooks.');
export const isNotificationSetting = (key: UserSettingKey): key is NotificationSettingKey =>
  key.startsWith('events.');

export const SettingsUser = z
  .object(USER_SETTINGS)
  .partial()
  .catchall(z.union([WebhookSetting, NotificationSetting, ListSettings]));
export type SettingsUser = z.output<typeof SettingsUser>;

/** The shapes of all values. The key decides which of them is valid (`userSettingBody`). */
const AnyValue = z.union([
  text(MAX_TIME_ZONE_LENGTH),
  z.boolean(),
  ListSettings,
  ReportDefaults,
  WebhookSettingInput,
  NotificationSettingInput,
]);

const isShort = (value: unknown): boolean =>
  (JSON.stringify(value) ?? '').length <= MAX_SETTING_LENGTH;
const tooLong = {
  message: `The value must not be longer than ${MAX_SETTING_LENGTH} characters.`,
  params: { rule: 'too_big' },
};

/** The body of a change of the setting `key`. Null removes the setting. */
export function userSettingBody(key: UserSettingKey) {
  if (isWebhookSetting(key)) return z.strictObject({ value: WebhookSettingInput.nullable() });
  if (isNotificationSetting(key))
    return z.strictObject({ value: NotificationSettingInput.nullable() });
  const schema: z.ZodType = USER_SETTINGS[key as UserSettingName] ?? ListSettings;
  return z.strictObject({ value: schema.refine(isShort, tooLong).nullable() });
}

/** The id of the user, who can be only the caller. */
const ByAccount = z.object({ accountId: Id });

export const settingsUser = {
  get: endpoint('GET', '/settingsUser/:accountId', {
    params: ByAccount,
    response: SettingsUser,
    can: 'settingsUser.get',
    summary: 'Retrieve your personal settings',
  }),
  update: endpoint('PUT', '/settingsUser/:accountId/:key', {
    // The audit log keeps those of webhooks and the limits of balances.
    cost: 'setting',
    params: ByAccount.extend({ key: UserSettingKey }),
    body: z.strictObject({ value: AnyValue.nullable() }),
    response: z.object({ key: z.string(), value: z.unknown(), updatedAt: Time }),
    can: 'settingsUser.update',
    summary: 'Change one of your personal settings',
  }),
};
