/**
 * Types of notifications: those of the specification, and `Account...`, `Package...`, `MonthlyFee...`, `SendingsBulkCompleted`, `OperationsCompleted`, `ContactsImported`, `ContactsImportFailed`, `ReportReady`, `ReportFailed`, `ReportScheduleStopped`, `RecurringSendingFailed`, `AutomationPaused`, `CertificateEnding`, `AuthEmail`, `AuthPassword`, `Token...`, `Telegram...`, `Webhook...`
 * and those of devices and the second factor.
 */
export const NOTIFICATION_TYPES = [
  'SendernameApproved',
  'SendernameRejected',
  'PatternApproved',
  'PatternRejected',
  'BalanceAccrual',
  'BalanceLimit',
  'BalanceDaily',
  'SpendCapWarning',
  'SpendCapReached',
  'PackageWarning',
  'PackageUsedUp',
  'PackageEnding',
  'MonthlyFee',
  'MonthlyFeeUnpaid',
  'AuthRegistration',
  'AuthRecover',
  'AuthEmail',
  'AuthPassword',
  'AuthBorrowedChange',
  'AccountSuspended',
  'AccountResumed',
  'AccountClosed',
  'AccountSettled',
  'TokenCreated',
  'TokenEffectEnded',
  'TokenExpiring',
  'TokenExpired',
  'TelegramLinked',
  'TelegramUnlinked',
  'AuthNewDevice',
  'AuthSecondFactorEnabled',
  'AuthSecondFactorDisabled',
  'AuthSecondFactorReset',
  'AuthRecoveryCodeUsed',
  'AuthPasskeyAdded',
  'AuthPasskeyRemoved',
  'AuthIdentityAdded',
  'AuthIdentityRemoved',
  'PaymentsFailed',
  'PaymentsMismatchFailed',
  'PaymentsRefundedAtAcquirer',
  'RecurrentPaymentFailed',
  'SendingsBulkCreated',
  'SendingsBulkPaused',
  'SendingsBulkResumed',
  'SendingsBulkCompleted',
  'RecurringSendingFailed',
  'AutomationPaused',
  'OperationsCompleted',
  'ContactsImported',
  'ContactsImportFailed',
  'ReportReady',
  'ReportFailed',
  'ReportScheduleStopped',
  'SubscriptionEnabled',
  'SubscriptionRenewFailed',
  'SystemPlatformIssues',
  'SystemRouteIssues',
  'TariffUpdate',
  'WapiCreated',
  'WapiConnected',
  'WapiDisconnected',
  'WebhookPaused',
  'WebhookDisabled',
  'OptOutSpike',
  'InboundTask',
  'ConversationAssigned',
  'OtpPrefixBlocked',
  'OtpRangeLimit',
  'ChannelAlarm',
  'ChannelAlarmEnded',
  'CertificateEnding',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export type NotificationTone = 'success' | 'error' | 'info' | 'neutral';

const ERROR =
  /Limit$|^SpendCapReached$|^PackageUsedUp$|^MonthlyFeeUnpaid$|Rejected$|Failed$|Issues$|^Token(Expired|EffectEnded)$|^(Automation|Webhook)Paused$|^WebhookDisabled$|^OtpPrefixBlocked$|^ChannelAlarm$|^CertificateEnding$|^ReportScheduleStopped$|^Account(Suspended|Closed)$/;
const SUCCESS =
  /Approved$|^BalanceAccrual$|^AuthRegistration$|^AuthSecondFactorEnabled$|^SendingsBulk(Created|Resumed|Completed)$|^OperationsCompleted$|^ContactsImported$|^ReportReady$|^SubscriptionEnabled$|^AccountResumed$|^ChannelAlarmEnded$/;
const INFO =
  /^SendingsBulkPaused$|^Telegram(Linked|Unlinked)$|^SpendCapWarning$|^Package(Warning|Ending)$|^MonthlyFee$|^AccountSettled$|^OptOutSpike$|^InboundTask$|^ConversationAssigned$|^PaymentsRefundedAtAcquirer$|^BalanceDaily$|^Auth(Recover|Email|Password|BorrowedChange|NewDevice|RecoveryCodeUsed|Passkey(Added|Removed)|Identity(Added|Removed)|SecondFactor(Disabled|Reset))$|^Token(Created|Expiring)$|^TariffUpdate$/;

/** The tone of a notification, shown as its colour. `notificationTone('BalanceLimit')` is 'error'. */
export function notificationTone(type: NotificationType): NotificationTone {
  if (ERROR.test(type)) return 'error';
  if (SUCCESS.test(type)) return 'success';
  return INFO.test(type) ? 'info' : 'neutral';
}

type Words = [title: string, text: string];
/** `{name}` is replaced with a value of the notification's data. Lines with missing values are omitted. */
const WORDS: Record<NotificationType, Words> = {
  SendernameApproved: ['Sender name approved', 'You can now use the sender name {name} ({type}).'],
  SendernameRejected: [
    'Sender name rejected',
    'The sender name {name} ({type}) was rejected.\nReason: {reason}',
  ],
  PatternApproved: ['Template approved', 'The template {title} was approved.'],
  PatternRejected: ['Template rejected', 'The template {title} was rejected.\nReason: {reason}'],
  BalanceAccrual: [
    'Balance topped up',
    'Received: {amount} {currency}\nBalance: {balance} {currency}',
  ],
  BalanceLimit: [
    'Balance is low',
    'The balance fell below {limit} {currency}.\nBalance: {balance} {currency}\nInvoice {invoice} was issued.\nIt will arrive by e-mail at {email}.\nThe automatic invoice could not be issued: {reason}',
  ],
  BalanceDaily: ['Daily balance', 'Balance: {balance} {currency}\nSpent: {spent} {currency}'],
  SpendCapWarning: [
    'Spend cap almost reached',
    'Spent: {spent} of {limit} {currency}\nResets: {resetsAt}',
  ],
  SpendCapReached: [
    'Spend cap reached',
    'Spent: {spent} of {limit} {currency}\nMessages are refused until the cap is raised or resets: {resetsAt}\nThe cap is {zeroLimit} {currency}: paid messages are refused until it is raised.',
  ],
  PackageWarning: [
    'Package of messages almost used up',
    '{title}\nLeft: {left} of {units}\nEnds: {endsAt}',
  ],
  PackageUsedUp: [
    'Package of messages used up',
    '{title}\nUnits used: {units}\nFurther messages cost their price by the tariff.',
  ],
  PackageEnding: [
    'Package of messages ends soon',
    '{title}\nLeft: {left} of {units}\nEnds: {endsAt}\nWhat is left then expires.',
  ],
  MonthlyFee: [
    'Monthly minimum charged',
    'Month: {month}\nMessages cost less than the minimum. Charged: {amount} {currency}',
  ],
  MonthlyFeeUnpaid: [
    'Monthly minimum not paid',
    'Month: {month}\nThe balance does not cover {amount} {currency}. The next money that comes in pays it.',
  ],
  AuthRegistration: ['Welcome', 'The account {username} has been created.'],
  AuthRecover: ['Password reset', 'A new password was set from {ip}. All sessions have ended.'],
  AuthEmail: ['E-mail changed', 'The e-mail of the account is now {email}.'],
  AuthPassword: [
    'Password changed',
    'The password of {username} was changed from {ip}. All other sessions have ended.',
  ],
  AuthBorrowedChange: [
    'Changed by a person signed in for you',
    '{username} was signed in to the account and set up or changed {title}, which stays in effect.\nCheck it, and remove it if you do not want it.',
  ],
  AccountSuspended: [
    'Account suspended',
    '{username} can no longer sign in or send messages. Balance and data are kept.\nReason: {reason}',
  ],
  AccountResumed: ['Account active again', '{username} can sign in and send messages again.'],
  AccountClosed: [
    'Account closed',
    'The account {username} is closed. Nobody can sign in or send messages.\nReason: {reason}\nSettled balance: {amount} {currency}',
  ],
  AccountSettled: [
    'Closed account settled',
    'Since the account {username} was closed, its balance has changed.\nSettled: {amount} {currency}',
  ],
  TokenEffectEnded: [
    'Switched off with its API token',
    '{title}\nThe API token that set it up has ended or lost a permission. To keep it, switch it on again yourself.',
  ],
  TokenCreated: ['API token created', '{description}\nPrefix: {prefix}'],
  TokenExpiring: ['API token expires soon', '{description}\nExpires: {date}'],
  TokenExpired: ['API token has expired', '{description}\nPrefix: {prefix}'],
  TelegramLinked: [
    'Telegram chat linked',
    'Notifications of {username} are now sent to the chat {chat}.\nIf this was not you, unlink it in the settings of notifications.',
  ],
  TelegramUnlinked: [
    'Telegram chat unlinked',
    'Notifications are no longer sent to the chat {chat}.\nReason: {reason}',
  ],
  AuthNewDevice: [
    'New sign-in',
    'Somebody signed in as {username} from a new device.\nDevice: {device}\nIP address: {ip}\nPlace: {place}\nIf this was not you, end the session and change the password.',
  ],
  AuthSecondFactorEnabled: [
    'Two-factor sign-in is on',
    'Signing in as {username} now needs a code as well as the password.',
  ],
  AuthSecondFactorDisabled: [
    'Two-factor sign-in is off',
    'Signing in as {username} now needs only the password.\nDevice: {device}\nIP address: {ip}\nIf this was not you, change the password and turn it on again.',
  ],
  AuthSecondFactorReset: [
    'Two-factor sign-in was reset',
    '{by} turned off the two-factor sign-in of {username}.\nTurn it on again in the settings of the account.',
  ],
  AuthRecoveryCodeUsed: [
    'A recovery code was used',
    'Somebody signed in as {username} with a recovery code.\nCodes left: {left}\nDevice: {device}\nIP address: {ip}\nIf this was not you, end the session and change the password.',
  ],
  AuthPasskeyAdded: [
    'A passkey was added',
    'The passkey “{passkey}” now signs in as {username} without a password.\nDevice: {device}\nIP address: {ip}\nIf this was not you, remove the passkey and change the password.',
  ],
  AuthPasskeyRemoved: [
    'A passkey was removed',
    'The passkey “{passkey}” no longer signs in as {username}.\nDevice: {device}\nIP address: {ip}\nIf this was not you, change the password.',
  ],
  AuthIdentityAdded: [
    'A way to sign in was added',
    'The identity “{identity}” of {provider} now signs in as {username} without a password.\nDevice: {device}\nIP address: {ip}\nIf this was not you, remove the identity and change the password.',
  ],
  AuthIdentityRemoved: [
    'A way to sign in was removed',
    'The identity “{identity}” of {provider} no longer signs in as {username}.\nDevice: {device}\nIP address: {ip}\nIf this was not you, change the password.',
  ],
  PaymentsFailed: ['Payment failed', 'A payment of {amount} by {method} failed.'],
  PaymentsMismatchFailed: [
    'Payment with another sum',
    'The payment {id} by {method} was not credited.\nRequested: {amount} {requestedCurrency}\nPaid: {paid} {currency}',
  ],
  PaymentsRefundedAtAcquirer: [
    'Refund at the acquirer',
    'The payment {id} was refunded at the acquirer.\nAmount: {amount} {currency}\nNot covered by the balance: {shortfall} {currency}',
  ],
  RecurrentPaymentFailed: [
    'Recurring payment failed',
    'Several charges of {amount} {currency} failed. The recurring payment is stopped until you confirm a card again.',
  ],
  SendingsBulkCreated: ['Campaign created', '{title}\nRecipients: {count}'],
  SendingsBulkPaused: ['Campaign paused', '{title}\nReason: {reason}'],
  SendingsBulkResumed: ['Campaign resumed', '{title}'],
  SendingsBulkCompleted: ['Campaign completed', '{title}'],
  RecurringSendingFailed: [
    'Recurring campaign was not sent',
    '{title}\nReason: {reason}\nIt is paused after failed runs: {failures}. Resume it when the cause is gone.',
  ],
  AutomationPaused: ['Automation paused', '{title}\nReason: {reason}'],
  OptOutSpike: [
    'Many people unsubscribe',
    'Unsubscribed within a day: {count}\nCheck the texts and recipients of your last messages.',
  ],
  InboundTask: ['People wait for an answer', 'Rule: {title}\nNew messages: {count}'],
  ConversationAssigned: ['A conversation is yours', '{by} assigned a conversation to you.'],
  OperationsCompleted: [
    'Balance operations completed',
    '{file}\nEntered: {applied}\nRefused: {refused}\nCancelled: {cancelled}',
  ],
  ContactsImported: [
    'Contacts imported',
    '{title}\nNew: {created}\nUpdated: {updated}\nRejected rows: {rejected}',
  ],
  ContactsImportFailed: [
    'Import failed',
    '{title}\nFile: {file}\nNo contacts were imported.\nReason: {reason}',
  ],
  ReportReady: ['Report ready', '{file}\nRows: {rows}'],
  ReportFailed: ['Report failed', '{file}\nReason: {reason}'],
  ReportScheduleStopped: [
    'Scheduled report stopped',
    'Its user was deactivated or no longer has access to this data.',
  ],
  SubscriptionEnabled: ['Subscription enabled', '{name}\nUntil: {until}'],
  SubscriptionRenewFailed: [
    'Subscription not renewed',
    '{name} could not be renewed.\nRemoved on: {until}',
  ],
  SystemPlatformIssues: ['Platform issues', '{text}'],
  SystemRouteIssues: ['Route issues', '{operator}\n{text}'],
  TariffUpdate: ['Tariff changed', '{source}\nFrom: {date}'],
  WapiCreated: ['WhatsApp instance created', '{phone}'],
  WapiConnected: ['WhatsApp instance connected', '{phone}'],
  WapiDisconnected: ['WhatsApp instance disconnected', '{phone}'],
  WebhookPaused: [
    'Webhook paused',
    '{title}\nNo call has succeeded since {date}. Events are kept until you resume it.\nURL: {url}',
  ],
  WebhookDisabled: [
    'Webhook disabled',
    '{title}\nThe server answered 410 Gone, so no more events are sent to it.\nURL: {url}',
  ],
  OtpPrefixBlocked: [
    'Codes to a numbering range are blocked',
    'Hardly anyone confirms codes to {prefix}: {confirmed} of {sessions} in an hour.\nBlocked until: {date}\nIf the traffic is yours, unblock the range on the page of the widgets.',
  ],
  OtpRangeLimit: [
    'Codes are refused: nobody confirms them',
    'So many codes were ordered that nobody confirms that no more are sent until {date}.\nNumbers: {range}\nPeople who confirmed a code within a month still get theirs. If strangers order them, turn on the captcha of the widget and leave only your countries in it. If the people are yours, ask support for a higher limit.',
  ],
  ChannelAlarm: [
    'Something is wrong with a channel',
    '{channel}\nIt takes no messages: {downError}\nNo receipts in half an hour, though {silent} messages were accepted.\nNetwork {network}: {share} % delivered in the last hour, {usual} % in the day before.\nAll of its rate is used, and {waiting} messages wait.\nLimits of its senders and destinations are used up, and {limited} messages wait for them.',
  ],
  ChannelAlarmEnded: [
    'A channel is well again',
    '{channel}\nIt takes messages again, after {downMinutes} min.\nReceipts arrive again, after {silentMinutes} min.\nNetwork {network}: delivery is as usual again, after {deliveryMinutes} min.\nIts rate suffices again, after {fullMinutes} min.\nIts limits of senders and destinations suffice again, after {limitedMinutes} min.',
  ],
  CertificateEnding: [
    'A certificate ends',
    '{subject}\nChannel: {channel}\nSMPP server: {host}\nEnds: {endsAt}\nEnded: {endedAt}',
  ],
};

/** Written by people: the title and the text are those of the message, the text as rich text. */
const WRITTEN = /^System(Platform|Route)Issues$/;
export const isWritten = (type: NotificationType): boolean => WRITTEN.test(type);

/**
 * Title and text of a notification in English, as plain text with line breaks; the text of a system message is HTML.
 * `notificationText('SendingsBulkResumed', { title: 'Sale' })` is { title: 'Campaign resumed', text: 'Sale' }.
 */
export function notificationText(
  type: NotificationType,
  data: Record<string, unknown>,
): { title: string; text: string } {
  const [title, text] = WORDS[type];
  const values = notificationValues(type, data);
  const lines = text.split('\n').map((line) => filled(line, values));
  return {
    title: writtenTitle(type, data) ?? title,
    text: lines.filter((line) => line !== null).join('\n'),
  };
}

/**
 * The values of the lines of a notification. Of a spend cap of 0 no share is spent, and no reset ends it: another line says so.
 * `notificationValues('SpendCapReached', { limit: 0, spent: 3 })` is { limit: null, resetsAt: null, spent: 3, zeroLimit: 0 }.
 */
export function notificationValues(
  type: NotificationType,
  data: Record<string, unknown>,
): Record<string, unknown> {
  if (type !== 'SpendCapReached' || data.limit !== 0) return data;
  return { ...data, limit: null, resetsAt: null, zeroLimit: 0 };
}

/** The title that the author of a system message gave it. */
export function writtenTitle(type: NotificationType, data: Record<string, unknown>): string | null {
  return isWritten(type) && typeof data.title === 'string' ? data.title : null;
}

/** Null when a value is missing. */
function filled(line: string, data: Record<string, unknown>): string | null {
  let isWhole = true;
  const text = line.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = data[name];
    if (typeof value !== 'string' && typeof value !== 'number') isWhole = false;
    return String(value);
  });
  return isWhole ? text : null;
}

/**
 * The lines of a translated text with `{{name}}` for values; lines with missing values are left out. `say` formats a value for its line.
 * `filledLines('Sum: {{sum}}\nReason: {{reason}}', { sum: 3 }, (_, value) => String(value))` is ['Sum: 3'].
 */
export function filledLines(
  text: string,
  data: Record<string, unknown>,
  say: (name: string, value: string | number, line: string) => string,
): string[] {
  return text.split('\n').flatMap((line) => {
    let isWhole = true;
    const whole = line.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = data[name];
      if (typeof value === 'string' || typeof value === 'number') return say(name, value, line);
      isWhole = false;
      return '';
    });
    return isWhole && whole ? [whole] : [];
  });
}

/** Whether a line names the currency of its sum. Others are about the account of the reader, and have its currency. */
export const namesCurrency = (line: string): boolean =>
  /\{\{(?:currency|\w+Currency)\}\}/.test(line);

/** Pages of the cabinet about which notifications are, by the beginning of their type; a thing is opened by its id. */
const PLACES: [type: RegExp, path: string][] = [
  [/^SendingsBulk/, '/messages/tasks/'],
  [/^Automation/, '/messages/automations?id='],
  [/^Sendername/, '/settings/sendernames?id='],
  [/^(Wapi|Subscription)/, '/settings/wapi?id='],
  [/^Webhook/, '/settings/webhooks?log='],
  [/^Pattern/, '/messages/templates?id='],
  [/^ContactsImport/, '/contacts/'],
  [/^Operations/, '/messages/tasks?id='],
  [/^Report/, '/reports?id='],
  [/^Token/, '/account/tokens?id='],
  [/^Conversation/, '/messages/conversations?id='],
  [/^ChannelAlarm/, '/channels?id='],
];
const PAGES: Partial<Record<NotificationType, string>> = {
  TariffUpdate: '/tariffs',
  AuthNewDevice: '/account/telemetry',
  AuthRecoveryCodeUsed: '/account/telemetry',
  AuthPassword: '/account/telemetry',
  AuthBorrowedChange: '/account/audit',
  TokenEffectEnded: '/account/tokens',
  AuthEmail: '/account/profile',
  TelegramLinked: '/settings/settingsUser',
  TelegramUnlinked: '/settings/settingsUser',
  OtpPrefixBlocked: '/widgets',
  OtpRangeLimit: '/widgets',
  CertificateEnding: '/installation',
  InboundTask: '/messages/conversations?state=waiting',
  RecurringSendingFailed: '/messages/recurring',
  BalanceLimit: '/balance/payments',
  BalanceDaily: '/balance/billings',
  PackageWarning: '/balance/billings?packages=true',
  PackageUsedUp: '/balance/billings?packages=true',
  PackageEnding: '/balance/billings?packages=true',
  MonthlyFee: '/balance/billings',
  MonthlyFeeUnpaid: '/balance/payments',
};

/** The page of the thing that a notification is about; null when it is about none, or about one that it does not name. */
export function notificationPlace(
  type: NotificationType,
  data: Record<string, unknown>,
): string | null {
  const page = PAGES[type];
  if (page) return page;
  const [, path] = PLACES.find(([types]) => types.test(type)) ?? [];
  const id = data.id ?? data.ListId;
  return path && typeof id === 'string' ? path + encodeURIComponent(id) : null;
}
