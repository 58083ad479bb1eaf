import { NOTIFICATION_CHANNELS } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { arrayOf, Id, Money, Time, TimeZone } from './fields.ts';
import { DocumentAmount } from './invoices.ts';
import { NotificationType } from './notifications.ts';

export const MAX_BALANCE_LIMITS = 10;

export const NotificationChannel = z.enum(NOTIFICATION_CHANNELS);

/** An invoice that is issued and sent by e-mail when the balance falls below the limit. */
const AutomaticInvoice = z.strictObject({
  requisiteId: Id,
  companyId: Id,
  type: z.literal('invoice').default('invoice'),
  data: z.strictObject({ SERVICE_PRICE: DocumentAmount }),
});
export type AutomaticInvoice = z.output<typeof AutomaticInvoice>;

export const BalanceLimitInput = z.strictObject({
  balance: Money.min(0),
  /** Compares the balance with the overdraft added. */
  includeOverdraft: z.boolean().default(false),
  invoice: z.union([z.literal(false), AutomaticInvoice]).default(false),
});
export type BalanceLimitInput = z.output<typeof BalanceLimitInput>;

const BalanceLimits = arrayOf(BalanceLimitInput, { max: MAX_BALANCE_LIMITS });

/** Among the settings of a user: notifications of a type, by its name. */
export type NotificationSettingKey = `events.${z.output<typeof NotificationType>}`;
export const NOTIFICATION_SETTING_KEYS = NotificationType.options.map(
  (type) => `events.${type}` as const,
) as [NotificationSettingKey, ...NotificationSettingKey[]];
export const NotificationSettingInput = z.strictObject({
  /** All on which it is told; the others are turned off. */
  channels: arrayOf(NotificationChannel, { max: NOTIFICATION_CHANNELS.length }),
  /** The limits of `BalanceLimit`, replaced as a whole; absent: they stay. Other types have none. */
  settings: BalanceLimits.nullish(),
});
export type NotificationSettingInput = z.output<typeof NotificationSettingInput>;
const BalanceLimitsInput = z.strictObject({
  limits: BalanceLimits,
  /** As they were read: limits that have changed since then are not replaced. */
  former: BalanceLimits.optional(),
});
export type BalanceLimitsInput = z.output<typeof BalanceLimitsInput>;

const BalanceLimit = z.object({
  balance: z.number(),
  includeOverdraft: z.boolean(),
  invoice: z.union([
    z.literal(false),
    z.object({
      requisiteId: Id,
      companyId: Id,
      type: z.literal('invoice'),
      data: z.object({ SERVICE_PRICE: z.number() }),
    }),
  ]),
  /** True while the balance is below the limit: the next notification follows after it was above. */
  isReached: z.boolean(),
});
export type BalanceLimit = z.output<typeof BalanceLimit>;

export const NotificationSetting = z.object({
  channels: z.array(NotificationChannel),
  /** Of `BalanceLimit`; null for other types. */
  settings: z.array(BalanceLimit.omit({ isReached: true })).nullable(),
});
export type NotificationSetting = z.output<typeof NotificationSetting>;

/** `off`: the installation has no bot. `starting`: no worker has reached Telegram yet. */
const Telegram = z.object({
  state: z.enum(['off', 'starting', 'unlinked', 'linked']),
  bot: z.string().nullable(),
  /** Name of the linked chat. */
  chat: z.string().nullable(),
  linkedAt: Time.nullable(),
});
/** `unconfirmed`: the user has no confirmed address. */
const EmailState = z.object({
  state: z.enum(['off', 'unconfirmed', 'ready']),
  address: z.string().nullable(),
});

export const NotificationSettings = z.object({
  events: z.array(
    z.object({
      type: NotificationType,
      channels: z.array(NotificationChannel),
      /** The channels that can be turned on and off. */
      choices: z.array(NotificationChannel),
    }),
  ),
  limits: z.array(BalanceLimit),
  telegram: Telegram,
  email: EmailState,
});
export type NotificationSettings = z.output<typeof NotificationSettings>;

export const TelegramCode = z.object({
  code: z.string(),
  /** Opens the chat with the bot and sends the code. */
  url: z.string(),
  bot: z.string(),
  expiresAt: Time,
});

const ByType = z.object({ type: NotificationType });
const one = '/notificationSettings';
export const notificationSettings = {
  get: endpoint('GET', one, {
    response: NotificationSettings,
    can: 'settingsUser.get',
    summary: 'Retrieve what you are notified of, and where',
  }),
  update: endpoint('PUT', `${one}/:type`, {
    params: ByType,
    body: z.strictObject({
      channel: NotificationChannel,
      isOn: z.boolean(),
      /** The zone of the daily balance, for users without a time zone in their personal settings. */
      timeZone: TimeZone.optional(),
    }),
    response: z.object({ type: NotificationType, channels: z.array(NotificationChannel) }),
    can: 'settingsUser.update',
    sessionOnly: true,
    summary: 'Turn a type of notifications on or off on a channel',
  }),
  setLimits: endpoint('PUT', `${one}/BalanceLimit/limits`, {
    body: BalanceLimitsInput,
    response: z.object({ limits: z.array(BalanceLimit) }),
    can: 'settingsUser.update',
    sessionOnly: true,
    audit: 'notificationSettings.setLimits',
    summary: 'Replace the balance limits of which you are notified',
  }),
  linkTelegram: endpoint('POST', `${one}/telegram/code`, {
    response: TelegramCode,
    status: 201,
    can: 'settingsUser.update',
    sessionOnly: true,
    audit: 'notificationSettings.linkTelegram',
    summary: 'Create a one-time code that links a Telegram chat; it replaces the former one',
  }),
  unlinkTelegram: endpoint('DELETE', `${one}/telegram`, {
    response: z.object({ wasLinked: z.boolean() }),
    can: 'settingsUser.update',
    sessionOnly: true,
    audit: 'notificationSettings.unlinkTelegram',
    summary: 'Unlink your Telegram chat',
  }),
};
