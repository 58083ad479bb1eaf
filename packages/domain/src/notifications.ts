/**
 * Types of notifications: those of the specification, and `SendingsBulkCompleted`, `OperationsCompleted`, `ContactsImported`, `ContactsImportFailed`, `ReportReady`, `ReportFailed`, `ReportScheduleStopped`, `AuthEmail`, `AuthPassword`, `Token...`, `Webhook...`
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
  'AuthRegistration',
  'AuthRecover',
  'AuthEmail',
  'AuthPassword',
  'TokenCreated',
  'TokenExpiring',
  'TokenExpired',
  'AuthNewDevice',
  'AuthSecondFactorEnabled',
  'AuthSecondFactorDisabled',
  'AuthSecondFactorReset',
  'AuthRecoveryCodeUsed',
  'PaymentsFailed',
  'PaymentsMismatchFailed',
  'PaymentsRefundedAtAcquirer',
  'RecurrentPaymentFailed',
  'SendingsBulkCreated',
  'SendingsBulkPaused',
  'SendingsBulkResumed',
  'SendingsBulkCompleted',
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
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export type NotificationTone = 'success' | 'error' | 'info' | 'neutral';

const ERROR =
  /Limit$|^SpendCapReached$|Rejected$|Failed$|Issues$|^TokenExpired$|^Webhook(Paused|Disabled)$|^ReportScheduleStopped$/;
const SUCCESS =
  /Approved$|^BalanceAccrual$|^AuthRegistration$|^AuthSecondFactorEnabled$|^SendingsBulk(Created|Resumed|Completed)$|^OperationsCompleted$|^ContactsImported$|^ReportReady$|^SubscriptionEnabled$/;
const INFO =
  /^SendingsBulkPaused$|^SpendCapWarning$|^PaymentsRefundedAtAcquirer$|^BalanceDaily$|^Auth(Recover|Email|Password|NewDevice|RecoveryCodeUsed|SecondFactor(Disabled|Reset))$|^Token(Created|Expiring)$|^TariffUpdate$/;

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
  BalanceLimit: ['Balance is low', 'The balance fell below {limit}.\nBalance: {balance}'],
  BalanceDaily: ['Daily balance', 'Balance: {balance}\nSpent: {spent}'],
  SpendCapWarning: [
    'Spend cap almost reached',
    'Spent: {spent} of {limit} {currency}\nResets: {resetsAt}',
  ],
  SpendCapReached: [
    'Spend cap reached',
    'Spent: {spent} of {limit} {currency}\nMessages are refused until the cap is raised or resets: {resetsAt}',
  ],
  AuthRegistration: ['Welcome', 'The account {username} has been created.'],
  AuthRecover: ['Password reset', 'A new password was set from {ip}. All sessions have ended.'],
  AuthEmail: ['E-mail changed', 'The e-mail of the account is now {email}.'],
  AuthPassword: [
    'Password changed',
    'The password of {username} was changed from {ip}. All other sessions have ended.',
  ],
  TokenCreated: ['API token created', '{description}\nPrefix: {prefix}'],
  TokenExpiring: ['API token expires soon', '{description}\nExpires: {date}'],
  TokenExpired: ['API token has expired', '{description}\nPrefix: {prefix}'],
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
  PaymentsFailed: ['Payment failed', 'A payment of {amount} by {method} failed.'],
  PaymentsMismatchFailed: [
    'Payment with another sum',
    'The payment {id} by {method} was not credited.\nRequested: {amount}\nPaid: {paid} {currency}',
  ],
  PaymentsRefundedAtAcquirer: [
    'Refund at the acquirer',
    'The payment {id} was refunded at the acquirer.\nAmount: {amount} {currency}\nNot covered by the balance: {shortfall}',
  ],
  RecurrentPaymentFailed: [
    'Recurring payment failed',
    'Several charges of {amount} {currency} failed. The recurring payment is stopped until you confirm a card again.',
  ],
  SendingsBulkCreated: ['Task created', '{title}\nRecipients: {count}'],
  SendingsBulkPaused: ['Task paused', '{title}\nReason: {reason}'],
  SendingsBulkResumed: ['Task resumed', '{title}'],
  SendingsBulkCompleted: ['Task completed', '{title}'],
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
  SubscriptionRenewFailed: ['Subscription not renewed', '{name} could not be renewed.'],
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
};

/**
 * Title and text of a notification in English, as plain text with line breaks.
 * `notificationText('SendingsBulkResumed', { title: 'Sale' })` is { title: 'Task resumed', text: 'Sale' }.
 */
export function notificationText(
  type: NotificationType,
  data: Record<string, unknown>,
): { title: string; text: string } {
  const [title, text] = WORDS[type];
  const lines = text.split('\n').map((line) => filled(line, data));
  return { title, text: lines.filter((line) => line !== null).join('\n') };
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
