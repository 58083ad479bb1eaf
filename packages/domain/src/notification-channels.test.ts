import { expect, test } from 'vitest';
import {
  choosableChannels,
  defaultChannels,
  isAlwaysEmailed,
  NOTIFICATION_AREAS,
  notificationTypesOf,
} from './notification-channels.ts';
import { filledLines, NOTIFICATION_TYPES, notificationPlace } from './notifications.ts';

test('each type is in one area', () => {
  const all = NOTIFICATION_AREAS.flatMap(notificationTypesOf);
  expect(all.toSorted()).toEqual([...NOTIFICATION_TYPES].toSorted());
  expect(notificationTypesOf('system')).toEqual([
    'SystemPlatformIssues',
    'SystemRouteIssues',
    'ChannelAlarm',
    'ChannelAlarmEnded',
    'CertificateEnding',
  ]);
});

test('money, security and alarms are sent everywhere, others in the cabinet', () => {
  expect(defaultChannels('PaymentsFailed')).toEqual(['web', 'telegram', 'email']);
  expect(defaultChannels('TokenExpired')).toEqual(['web', 'telegram', 'email']);
  expect(defaultChannels('ChannelAlarm')).toEqual(['web', 'telegram', 'email']);
  expect(defaultChannels('CertificateEnding')).toEqual(['web', 'telegram', 'email']);
  expect(defaultChannels('SendernameApproved')).toEqual(['web']);
  expect(defaultChannels('BalanceDaily')).toEqual([]);
});

test('an e-mail that is always sent is no choice', () => {
  for (const type of NOTIFICATION_TYPES.filter(isAlwaysEmailed)) {
    expect(choosableChannels(type)).toEqual(['web', 'telegram']);
    expect(defaultChannels(type)).not.toContain('email');
  }
  expect(isAlwaysEmailed('AuthNewDevice')).toBe(true);
  expect(isAlwaysEmailed('AuthRegistration')).toBe(false);
});

test('fills in lines and leaves out those with missing values; values are not filled in again', () => {
  const say = (_name: string, value: string | number) => String(value);
  expect(filledLines('Sum: {{sum}}\nReason: {{reason}}', { sum: '{{reason}}' }, say)).toEqual([
    'Sum: {{reason}}',
  ]);
});

test('the page of a thing is named by its id', () => {
  expect(notificationPlace('ReportReady', { id: 'a/b' })).toBe('/reports?id=a%2Fb');
  expect(notificationPlace('ReportReady', {})).toBeNull();
  expect(notificationPlace('TariffUpdate', {})).toBe('/tariffs');
  expect(notificationPlace('OtpRangeLimit', {})).toBe('/widgets');
  expect(notificationPlace('OtpPrefixBlocked', {})).toBe('/widgets');
});
