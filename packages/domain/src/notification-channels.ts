import { NOTIFICATION_TYPES, type NotificationType } from './notifications.ts';

/** Where a notification is sent. `web` is the cabinet. */
export const NOTIFICATION_CHANNELS = ['web', 'telegram', 'email'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

/** Events in groups, in the order of the settings page. */
export const NOTIFICATION_AREAS = [
  'messages',
  'money',
  'security',
  'contacts',
  'integrations',
  'system',
] as const;
export type NotificationArea = (typeof NOTIFICATION_AREAS)[number];

const AREAS: [types: RegExp, area: NotificationArea][] = [
  [
    /^(Sendername|Pattern|SendingsBulk|RecurringSending|Automation|OptOut|Inbound|Conversation)/,
    'messages',
  ],
  [
    /^(Balance|SpendCap|Package|MonthlyFee|Payments|RecurrentPayment|Operations|Tariff|Subscription)/,
    'money',
  ],
  [/^(Account|Auth|Token|Telegram|Otp)/, 'security'],
  [/^(Contacts|Report)/, 'contacts'],
  [/^(Webhook|Wapi)/, 'integrations'],
];

export const notificationArea = (type: NotificationType): NotificationArea =>
  AREAS.find(([types]) => types.test(type))?.[1] ?? 'system';

/**
 * Types whose e-mail is sent with the change itself, to the former address or with advice of its own. It cannot be turned off, and no
 * second one is sent.
 */
const ALWAYS_EMAILED =
  /^Auth(Email|Password|NewDevice|RecoveryCodeUsed|Passkey(Added|Removed)|Identity(Added|Removed)|SecondFactor(Enabled|Disabled|Reset))$/;
export const isAlwaysEmailed = (type: NotificationType): boolean => ALWAYS_EMAILED.test(type);

/** The channels on which a user can turn a type on and off. */
export function choosableChannels(type: NotificationType): readonly NotificationChannel[] {
  return isAlwaysEmailed(type) ? ['web', 'telegram'] : NOTIFICATION_CHANNELS;
}

/**
 * The channels of a user who has chosen none: the cabinet, for money, security and alarms all. The daily balance is for those who ask for it.
 * Source: the research on the wire format, 5.3.
 */
export function defaultChannels(type: NotificationType): readonly NotificationChannel[] {
  if (type === 'BalanceDaily') return [];
  const isUrgent =
    ['money', 'security'].includes(notificationArea(type)) ||
    /^(ChannelAlarm|CertificateEnding)/.test(type);
  return isUrgent ? choosableChannels(type) : ['web'];
}

export const notificationTypesOf = (area: NotificationArea): NotificationType[] =>
  NOTIFICATION_TYPES.filter((type) => notificationArea(type) === area);
