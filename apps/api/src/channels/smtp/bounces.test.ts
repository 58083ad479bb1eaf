import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { bounceDoor } from './bounces.ts';
import { tokenOf } from './return-path.ts';

const SECRET = 'a-secret-of-bounces';
const now = new Date('2026-03-04T05:06:07Z');
const reference = '0198c0de-0000-7000-8000-000000000001';
const token = tokenOf(reference, SECRET);
const door = bounceDoor(SECRET);

const read = async (message: unknown) => {
  const { messages, answer, ...rest } = await door.read({ message }, now);
  expect({ messages, answer }).toEqual({ messages: [], answer: 'OK' });
  return rest;
};
const reportOf = async (message: string) => (await read(message)).reports[0];

interface Dsn {
  to?: string;
  status?: string;
  original?: string;
}
/** As Postfix writes it. */
const dsn = ({ to = `bounce-${token}@back.example`, status = failed(), original = '' }: Dsn = {}) =>
  [
    'Received: by mx.tea.example (Postfix)',
    'From: MAILER-DAEMON@mx.tea.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    `To: ${to}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="B/1"',
    '',
    '--B/1',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry.',
    '--B/1',
    'Content-Type: message/delivery-status',
    '',
    status,
    '--B/1',
    'Content-Type: text/rfc822-headers',
    '',
    original,
    '--B/1--',
    '',
  ].join('\r\n');
const failed = (
  status = '5.1.1',
  diagnostic = 'smtp; 550 5.1.1 <anna@tea.example>: no\r\n    such user',
) =>
  [
    'Reporting-MTA: dns; mx.tea.example',
    'X-Postfix-Queue-ID: 3F2A',
    '',
    'Final-Recipient: rfc822; anna@tea.example',
    'Action: failed',
    `Status: ${status}`,
    'Remote-MTA: dns; mx.tea.example',
    `Diagnostic-Code: ${diagnostic}`,
  ].join('\r\n');
const acted = (action: string, status = '2.0.0') =>
  failed(status, 'smtp; 250 ok').replace('Action: failed', `Action: ${action}`);
const arf = (type: string, original: string) =>
  [
    'From: <fbl@provider.example>',
    'To: <abuse@back.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'An abuse report.',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    '',
    '--b',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    original,
    '--b--',
    '',
  ].join('\r\n');
const quoted = `From: <news@mail.example>\r\nMessage-ID: <${token}@mail.example>\r\nSubject: Tea\r\n\r\nHello`;
const hard = { suppress: 'bounce' };
const plain = (body: string, headers = '') =>
  `From: MAILER-DAEMON@mx.tea.example\r\nTo: bounce-${token}@back.example\r\n${headers}Subject: failure notice\r\n\r\n${body.replaceAll('\n', '\r\n')}`;
const QMAIL = (reason: string) => `Hi. This is the qmail-send program at mx.tea.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<anna@tea.example>:
${reason}

--- Below this line is a copy of the message.

Return-Path: <bounce-${token}@back.example>
Subject: 550 5.1.2 tea
`;
const VACATION = `Hi. This is the office of Anna, and we are closed until Monday.

Urgent matters:
call 415 555 0100, or write to anna@tea.example. Your message:

> 550 5.1.1 tea is served
`;
const EXIM = `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  anna@tea.example
    SMTP error from remote mail server after RCPT TO:<anna@tea.example>:
    550 no such user

------ This is a copy of the message, including all the headers. ------

Subject: 552 5.2.2 tea
`;

describe('a bounce', () => {
  it.each([
    ['5.1.1', 'smtp; 550 5.1.1 no such user', 'number_not_found', hard],
    ['5.1.2', 'dns; host not found', 'number_not_found', hard],
    ['5.2.1', 'smtp; 550 mailbox disabled', 'absent_subscriber', hard],
    ['5.1.10', 'smtp; 556 null MX', 'number_not_found', hard],
    ['5.2.2', 'smtp; 552 mailbox full', 'memory_full', {}],
    ['5.7.1', 'smtp; 554 rejected as spam', 'blocked', {}],
    ['5.7.26', 'smtp; 550 not authenticated', 'blocked', {}],
    ['5.6.1', 'smtp; 554 media', 'content_rejected', {}],
    ['5.3.4', 'smtp; 552 too big', 'too_long', {}],
    ['4.4.7', 'smtp; delivery time expired', 'expired', {}],
    ['4.4.1', 'smtp; connection timed out', 'undeliverable', {}],
    ['5.0.0', 'smtp; 550 unknown', 'undeliverable', {}],
  ])('of %s, %s', async (status, diagnostic, code, more) => {
    expect(await read(dsn({ status: failed(status, diagnostic) }))).toEqual({
      reports: [
        {
          reference,
          status: 'failed',
          code,
          carrierCode: status,
          text: diagnostic.replace(/^\w+; /, ''),
          at: now,
          ...more,
        },
      ],
      ignored: 0,
    });
  });

  it.each([
    ['by the address it came to', dsn()],
    ['by that in capitals', dsn({ to: `BOUNCE-${token.toUpperCase()}@BACK.EXAMPLE` })],
    ['by the message it quotes', dsn({ to: 'postmaster@back.example', original: quoted })],
    [
      'by a header of the server',
      `Delivered-To: bounce-${token}@back.example\r\n${dsn({ to: 'x@y.example' })}`,
    ],
    ['without the ends of lines of SMTP', dsn().replaceAll('\r\n', '\n')],
    ['before a long message that it returns', dsn({ original: `${quoted}${'x'.repeat(900_000)}` })],
    ['cut off in what it quotes', dsn({ original: quoted }).slice(0, -20)],
  ])('names its message %s', async (_, raw) => {
    expect(await reportOf(raw)).toMatchObject({ reference, status: 'failed', ...hard });
  });

  it('without a code has the one of the server', async () => {
    const status = failed('', 'smtp; 550 no');
    expect(await reportOf(dsn({ status }))).toMatchObject({
      code: 'undeliverable',
      carrierCode: 550,
    });
    expect(await reportOf(dsn({ status: failed('', '') }))).toEqual({
      reference,
      status: 'failed',
      code: 'rejected',
      at: now,
    });
  });

  it('of Exim has the code that the other server has given', async () => {
    const status = failed(
      '5.0.0',
      'smtp; 550-5.1.1 <anna@tea.example>:\r\n 550 5.1.1 no such user',
    );
    expect(await reportOf(dsn({ status }))).toMatchObject({
      code: 'number_not_found',
      carrierCode: '5.1.1',
      ...hard,
    });
    // The server that reports knows more than the one that it quotes.
    const other = failed('5.2.2', 'smtp; 550 5.1.1 no');
    expect(await reportOf(dsn({ status: other }))).toMatchObject({ code: 'memory_full' });
  });

  it('of an address beyond ASCII comes under types of its own', async () => {
    const raw = dsn({ to: 'postmaster@back.example', original: quoted })
      .replace('message/delivery-status', 'message/global-delivery-status')
      .replace('text/rfc822-headers', 'message/global-headers')
      .replace('rfc822; anna@tea', 'utf-8; анна@tea');
    const bytes = Buffer.from(raw).toString('latin1');
    expect(await reportOf(bytes)).toMatchObject({ code: 'number_not_found', ...hard });
  });

  it.each<[string, string, object]>([
    [
      'qmail',
      plain(QMAIL('Sorry, no mailbox here by that name. (#5.1.1)')),
      { code: 'number_not_found', carrierCode: '5.1.1', ...hard },
    ],
    [
      'qmail, of another server',
      plain(QMAIL('192.0.2.1 does not like recipient.\nRemote host said: 552 5.2.2 full')),
      { code: 'memory_full', carrierCode: '5.2.2' },
    ],
    [
      'qmail, of a server whose name has a number',
      plain(QMAIL('mx-501-2.tea.example said: 550 5.1.1 no such user')),
      { code: 'number_not_found', carrierCode: '5.1.1', ...hard },
    ],
    ['qmail, without a code', plain(QMAIL('I give up.')), { code: 'rejected', text: 'I give up.' }],
    [
      'Exim',
      plain(EXIM, 'X-Failed-Recipients: anna@tea.example\r\n'),
      {
        code: 'undeliverable',
        carrierCode: 550,
        text: 'SMTP error from remote mail server after RCPT TO:<anna@tea.example>: 550 no such user',
      },
    ],
  ])('in words alone is read: %s', async (_, raw, said) => {
    expect(await reportOf(raw)).toMatchObject({ reference, status: 'failed', ...said });
  });

  it.each([
    ['delivered', [{ reference, status: 'delivered', at: now }]],
    ['DELIVERED', [{ reference, status: 'delivered', at: now }]],
    ['delayed', []],
    ['relayed', []],
    ['expanded', []],
    ['lost', []],
  ])('is none when it says %s', async (action, reports) => {
    expect((await read(dsn({ status: acted(action) }))).reports).toEqual(reports);
  });

  it.each([
    ['no mail', ''],
    ['a text', 'hello'],
    [
      'an answer that somebody is away',
      `To: bounce-${token}@back.example\r\nSubject: Away\r\n\r\n550 5.1.1`,
    ],
    ['one that begins as qmail does', plain(VACATION)],
    ['a report of a message of nobody', dsn({ to: 'postmaster@back.example' })],
    [
      'another secret',
      dsn({ to: `bounce-${tokenOf(reference, 'another-secret-of-bounces')}@back.example` }),
    ],
    [
      'a token of another message',
      dsn({
        to: `bounce-${tokenOf(randomUUID(), SECRET).slice(0, 32)}${token.slice(32)}@b.example`,
      }),
    ],
    ['no action', dsn({ status: 'Status: 5.1.1' })],
    ['a report of a policy', arf('auth-failure', quoted)],
  ])('is none: %s', async (_, raw) => {
    expect(await read(raw)).toEqual({ reports: [], ignored: 1 });
  });

  it.each([[undefined], [null], [{}], [[]], [7]])('is refused: %j', async (message) => {
    for (const fields of [{ message }, message])
      await expect(door.read(fields, now)).rejects.toMatchObject({ code: 'unsupported_media' });
  });
});

it.each(['abuse', 'fraud', 'opt-out'])('a complaint (%s) ends the messages', async (type) => {
  expect(await read(arf(type, quoted))).toEqual({
    reports: [{ reference, status: 'delivered', suppress: 'complaint', at: now }],
    ignored: 0,
  });
});

describe('hostile mail', () => {
  it.each<[string, string]>([
    ['parts in parts', nested(200)],
    ['headers without end', `X: ${'y'.repeat(900_000)}\r\n\r\n`],
    ['many headers', 'X-A: b\r\n'.repeat(100_000)],
    ['many parts', parts(20_000)],
    ['many tokens', dsn({ to: `bounce-${'0'.repeat(52)}@b.example, `.repeat(10_000) })],
    ['one long word of hexadecimal digits', dsn({ to: 'a'.repeat(900_000) })],
    ['a long diagnosis', dsn({ status: failed('5.1.1', `smtp; ${'x '.repeat(400_000)}`) })],
    ['fields without end', dsn({ status: 'a:b\r\n'.repeat(150_000) })],
    ['folds', dsn({ status: `Action:${'\r\n '.repeat(250_000)}failed` })],
    ['an odd boundary', dsn().replaceAll('B/1', '('.repeat(70))],
    ['an unknown alphabet', dsn().replace('us-ascii', 'x-none')],
    [
      'base64 that is none',
      dsn().replace(
        'message/delivery-status',
        'message/delivery-status\r\nContent-Transfer-Encoding: base64',
      ),
    ],
  ])('%s is read at once, or dropped', async (_, raw) => {
    const before = process.threadCpuUsage();
    await read(raw.slice(0, 1_000_000));
    expect(process.threadCpuUsage(before).user).toBeLessThan(3_000_000);
  });

  it('in random pieces of a bounce throws nothing', async () => {
    const whole = dsn({ original: quoted });
    for (let i = 0; i < whole.length; i += 3) {
      const broken = whole.slice(0, i) + whole.slice(i + 1 + (i % 40));
      const { reports } = await read(broken);
      for (const report of reports) expect(report.reference).toBe(reference);
    }
  });
});

it('its sender shows the secret', () => {
  const call = (authorization?: string) => ({
    headers: { authorization },
    search: '',
    body: Buffer.from(''),
  });
  expect(door.isGenuine(call(`Bearer ${SECRET}`))).toBe(true);
  for (const wrong of [undefined, '', 'Bearer', `Bearer ${SECRET}x`, `Basic ${SECRET}`, 'Bearer  '])
    expect(door.isGenuine(call(wrong))).toBe(false);
});

function nested(depth: number): string {
  let raw = 'Content-Type: text/plain\r\n\r\nhello\r\n';
  for (let i = 0; i < depth; i++)
    raw = `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n${raw}\r\n--b${i}--\r\n`;
  return raw;
}

function parts(count: number): string {
  const part = '--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\n';
  return `Content-Type: multipart/report; boundary=b\r\n\r\n${part.repeat(count)}--b--\r\n`;
}
