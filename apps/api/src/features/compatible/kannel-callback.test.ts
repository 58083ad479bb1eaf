import { expect, test } from 'vitest';
import { kannelCallback, statusesOfMask } from './kannel-callback.ts';

test.each([
  [0, []],
  [1, ['delivered']],
  [2, ['failed']],
  [3, ['delivered', 'failed']],
  [8, ['sent']],
  [16, ['failed']],
  [31, ['sent', 'delivered', 'failed']],
  [4 | 32, []],
])('the mask %d asks for %j', (mask, statuses) => {
  expect(statusesOfMask(mask)).toEqual(statuses);
});

const SENT_AT = '2026-11-26T17:04:00.000Z';
const AT = new Date('2026-11-26T17:05:09Z');

function called(url: string, report: object = {}, mask = 31): string {
  const values = { mask: String(mask), username: 'hg_k7m2p9qw4xtd', smsc: 'main', account: 'shop' };
  const callback = kannelCallback({
    callback: { WebhookId: 'w', statuses: [], url, values },
    report: {
      id: '01978a3c-5d4e-7b21-9c3a-4f6e8d2b1a07',
      recipient: '+79161234567',
      sender: 'MIR TEA',
      status: 'delivered',
      error: { code: null, message: null },
      sentAt: SENT_AT,
      ...report,
    },
    at: AT,
    secret: () => Promise.reject(new Error('There is none')),
  });
  expect(callback).toMatchObject({ method: 'GET', body: null, headers: {} });
  return callback.url;
}
const failed = (sentAt: string | null, code = 'absent_subscriber') => ({
  status: 'failed',
  error: { code, message: '' },
  sentAt,
});

test.each([
  ['http://a.example/?t=%d&p=%p&P=%P', 't=1&p=MIR+TEA&P=79161234567'],
  ['http://a.example/?Q=%Q&i=%i&n=%n&o=%o', 'Q=%2B79161234567&i=main&n=hg_k7m2p9qw4xtd&o=shop'],
  ['http://a.example/?T=%T&t=%t', 'T=1795712709&t=2026-11-26+17%3A05%3A09'],
  [
    'http://a.example/?I=%I&F=%F',
    'I=01978a3c-5d4e-7b21-9c3a-4f6e8d2b1a07&F=01978a3c-5d4e-7b21-9c3a-4f6e8d2b1a07',
  ],
  ['http://a.example/?x=%x&y=%20&z=%%', 'x=%x&y=%20&z=%'],
  ['http://a.example/?id=7', 'id=7'],
])('%s is called with %s', (url, query) => {
  expect(called(url)).toBe(`http://a.example/?${query}`);
});

test.each([
  ['delivered', {}, 31, 1],
  ['seen', { status: 'seen' }, 31, 1],
  ['sent', { status: 'sent' }, 31, 8],
  ['failed', failed(SENT_AT), 31, 2],
  ['refused by nobody but us', failed(null), 31, 16],
  ['refused by us, asked as a failure', failed(null), 3, 2],
  ['failed, asked as a refusal', failed(SENT_AT), 17, 16],
])('%s is a report of its type', (_, report, mask, type) => {
  expect(called('http://a.example/?%d', report, mask)).toBe(`http://a.example/?${type}`);
});

test.each([
  ['delivered', {}, 'stat:DELIVRD err:000 text:'],
  ['failed', failed(SENT_AT), 'stat:UNDELIV err:absent_subscriber text:'],
  ['expired', failed(SENT_AT, 'expired'), 'stat:EXPIRED err:expired text:'],
  ['sent', { status: 'sent' }, 'ACK/'],
  ['refused', failed(null, 'no_route'), 'NACK/no_route'],
])('the answer of a carrier to %s', (_, report, expected) => {
  const { searchParams } = new URL(called('http://a.example/?a=%A', report));
  expect(searchParams.get('a')).toContain(expected);
});
