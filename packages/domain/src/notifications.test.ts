import { expect, test } from 'vitest';
import { NOTIFICATION_TYPES, notificationText, notificationTone } from './notifications.ts';

test('each type has its tone', () => {
  const of = (tone: string) => NOTIFICATION_TYPES.filter((type) => notificationTone(type) === tone);
  expect(of('error')).toEqual([
    'SendernameRejected',
    'PatternRejected',
    'BalanceLimit',
    'SpendCapReached',
    'PackageUsedUp',
    'MonthlyFeeUnpaid',
    'AccountSuspended',
    'AccountClosed',
    'TokenEffectEnded',
    'TokenExpired',
    'PaymentsFailed',
    'PaymentsMismatchFailed',
    'RecurrentPaymentFailed',
    'RecurringSendingFailed',
    'AutomationPaused',
    'ContactsImportFailed',
    'ReportFailed',
    'ReportScheduleStopped',
    'SubscriptionRenewFailed',
    'SystemPlatformIssues',
    'SystemRouteIssues',
    'WebhookPaused',
    'WebhookDisabled',
    'OtpPrefixBlocked',
    'OtpRangeLimit',
    'ChannelAlarm',
    'CertificateEnding',
  ]);
  expect(of('info')).toEqual([
    'BalanceDaily',
    'SpendCapWarning',
    'PackageWarning',
    'PackageEnding',
    'MonthlyFee',
    'AuthRecover',
    'AuthEmail',
    'AuthPassword',
    'AuthBorrowedChange',
    'AccountSettled',
    'TokenCreated',
    'TokenExpiring',
    'TelegramLinked',
    'TelegramUnlinked',
    'AuthNewDevice',
    'AuthSecondFactorDisabled',
    'AuthSecondFactorReset',
    'AuthRecoveryCodeUsed',
    'AuthPasskeyAdded',
    'AuthPasskeyRemoved',
    'AuthIdentityAdded',
    'AuthIdentityRemoved',
    'PaymentsRefundedAtAcquirer',
    'SendingsBulkPaused',
    'TariffUpdate',
    'OptOutSpike',
    'InboundTask',
    'ConversationAssigned',
  ]);
  expect(of('neutral')).toEqual(['WapiCreated', 'WapiConnected', 'WapiDisconnected']);
  expect(of('success')).toHaveLength(14);
});

test('inserts values and omits lines with missing values', () => {
  const textFor = (reason: string | null) =>
    notificationText('SendernameRejected', { name: 'MIRCHAY', type: 'sms', reason });
  expect(textFor('no contract')).toEqual({
    title: 'Sender name rejected',
    text: 'The sender name MIRCHAY (sms) was rejected.\nReason: no contract',
  });
  expect(textFor(null).text).toBe('The sender name MIRCHAY (sms) was rejected.');
});

test('does not replace placeholders inside values', () => {
  expect(notificationText('SendingsBulkCreated', { title: '{count}', count: 3 }).text).toBe(
    '{count}\nRecipients: 3',
  );
});
