import { expect, test } from 'vitest';
import {
  failureNumber,
  idOfSid,
  mailTime,
  presentMessage,
  sidOf,
  twilioStatus,
} from './twilio-messages.ts';

const ID = '01978a3c-5d4e-7b21-9c3a-4f6e8d2b1a07';
const SID = 'SM01978a3c5d4e7b219c3a4f6e8d2b1a07';

test('a SID is the id without its hyphens', () => {
  expect(sidOf(ID)).toBe(SID);
  expect(idOfSid(SID)).toBe(ID);
  expect(idOfSid(SID.toUpperCase())).toBe(ID);
  for (const wrong of ['', 'SM', `${SID}0`, SID.replace('SM', 'MM'), 'SM..'])
    expect(idOfSid(wrong)).toBeNull();
});

test.each([
  ['pending', null, null, 'queued'],
  ['paused', null, null, 'queued'],
  ['processing', null, null, 'sending'],
  ['sent', null, 'x', 'sent'],
  ['delivered', null, 'x', 'delivered'],
  ['seen', null, 'x', 'delivered'],
  ['failed', 'absent_subscriber', 'x', 'undelivered'],
  ['failed', 'no_price', null, 'failed'],
  ['failed', 'stopped', null, 'canceled'],
])('%s (%s, sent %s) is %s', (status, code, sentAt, expected) => {
  expect(twilioStatus(status, code, sentAt)).toBe(expected);
});

test.each([
  ['absent_subscriber', 30003],
  ['content_rejected', 30007],
  ['a code of tomorrow', 30008],
  [null, 30008],
])('the failure %s has the number %d', (code, number) => {
  expect(failureNumber(code)).toBe(number);
});

test('times are written as in e-mails', () => {
  expect(mailTime('2026-11-26T17:04:00.000Z')).toBe('Thu, 26 Nov 2026 17:04:00 +0000');
});

test('a message has all fields of the resource', () => {
  const at = '2026-11-26T17:04:00.000Z';
  const message = presentMessage('AChg_k7m2p9qw4xtd', {
    id: ID,
    from: 'MIRTEA',
    to: '+79161234567',
    body: 'Tea',
    segments: 1,
    status: 'failed',
    isScheduled: false,
    code: 'absent_subscriber',
    error: 'The subscriber is absent.',
    createdAt: at,
    updatedAt: at,
    sentAt: at,
    amount: 2.5,
    currency: 'RUB',
  });
  expect(message).toEqual({
    account_sid: 'AChg_k7m2p9qw4xtd',
    api_version: '2010-04-01',
    body: 'Tea',
    date_created: 'Thu, 26 Nov 2026 17:04:00 +0000',
    date_sent: 'Thu, 26 Nov 2026 17:04:00 +0000',
    date_updated: 'Thu, 26 Nov 2026 17:04:00 +0000',
    direction: 'outbound-api',
    error_code: 30003,
    error_message: 'The subscriber is absent.',
    from: 'MIRTEA',
    messaging_service_sid: null,
    num_media: '0',
    num_segments: '1',
    price: '-2.50000',
    price_unit: 'RUB',
    sid: SID,
    status: 'undelivered',
    subresource_uris: {
      media: `/2010-04-01/Accounts/AChg_k7m2p9qw4xtd/Messages/${SID}/Media.json`,
    },
    to: '+79161234567',
    uri: `/2010-04-01/Accounts/AChg_k7m2p9qw4xtd/Messages/${SID}.json`,
  });
});
