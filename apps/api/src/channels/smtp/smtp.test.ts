import { generateKeyPairSync, randomUUID } from 'node:crypto';

import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { afterEach, describe, expect, it } from 'vitest';

import { CERTIFICATE } from '../../../test/peers/certificate.ts';
import { MailPeer, scriptedServer } from '../../../test/peers/mail-peer.ts';
import { NO_FILES } from '../../../test/peers/message-files.ts';
import { NO_CHATS } from '../../../test/peers/chats.ts';
import { NO_DEVICES } from '../../../test/peers/push-devices.ts';
import { Outbound } from '../../core/http/outbound.ts';
import { ChannelDown, type Driver, type MessageFile, type OutgoingMessage } from '../channel.ts';
import { describeChannel, openDriver } from '../registry.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const SECRET = 'a secret of bounces'.replaceAll(' ', '-');
const domain = 'mail.example';
const now = new Date('2026-03-04T05:06:07Z');
const link = 'https://app.example/u/abcdefgh';
const headers = {
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
};

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function driverOf(url: string, options: object = {}, allowed = '127.0.0.0/8'): Driver {
  const driver = openDriver(settings(url, options), {
    outbound: new Outbound(allowed, 'CHANNEL_ALLOWED_HOSTS'),
    senders: { send: () => Promise.reject(new Error('no senders')) },
    files,
    devices: NO_DEVICES,
    chats: () => NO_CHATS,
    inbox: () => ({ reports: () => Promise.resolve(), messages: () => Promise.resolve() }),
  });
  open.push(() => driver.close!());
  return driver;
}
/** Files of accounts. */
const files = {
  ...NO_FILES,
  reads: 0,
  read(id: string, maxBytes: number): Promise<MessageFile | 'missing' | 'too_large'> {
    this.reads++;
    if (id === 'away') return Promise.reject(new Error('the store is away'));
    if (id === 'none') return Promise.resolve('missing');
    if (id === 'large') return Promise.resolve('too_large');
    expect(maxBytes).toBeLessThan(18_000_000);
    return Promise.resolve({
      filename: 'Чай\r\nX-Evil: 1.pdf',
      type: 'application/pdf',
      bytes: Buffer.from('%PDF-1.4 a price list'),
    });
  },
};
const settings = (url: string, options: object) => ({
  name: 'mail',
  driver: 'smtp',
  options: { url, domain, startTls: 'never', ...options },
  revision: 1,
});

async function peerOf(options: object = {}, server: Parameters<MailPeer['listen']>[0] = {}) {
  const peer = new MailPeer();
  open.push(() => peer.close());
  const url = await peer.listen(server);
  return { peer, url, driver: driverOf(url, options) };
}

async function scriptedOf(answer: Parameters<typeof scriptedServer>[0], options: object = {}) {
  const server = await scriptedServer(answer);
  open.push(() => server.close());
  return { ...server, driver: driverOf(server.url, options) };
}

const message = (given: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  reference: randomUUID(),
  type: 'email',
  sender: 'news@mail.example',
  recipient: 'anna@tea.example',
  payload: { subject: 'Tea', text: 'Hello, Anna' },
  segments: 1,
  headers,
  tries: 0,
  ...given,
});
const send = (driver: Driver, ...batch: OutgoingMessage[]) => {
  const signal = AbortSignal.timeout(20_000);
  return driver.send(batch, { now, signal, progress: () => undefined });
};
const resultOf = async (driver: Driver, given: Partial<OutgoingMessage> = {}) => {
  const one = message(given);
  const [result] = await send(driver, one);
  if (!result) return 'unknown';
  const { reference, ...rest } = result;
  expect(reference).toBe(one.reference);
  return rest;
};

describe('a mail', () => {
  it('has its text, subject, addresses and the headers to unsubscribe', async () => {
    const { peer, driver } = await peerOf();
    const text = 'Привет, Анна!\nЧай ждёт.';
    expect(await resultOf(driver, { payload: { subject: 'Чай и кофе', text } })).toEqual({
      result: 'accepted',
    });
    const [{ from, to, raw }] = peer.received as [(typeof peer.received)[0]];
    expect({ from, to }).toEqual({ from: 'news@mail.example', to: ['anna@tea.example'] });
    const mail = await PostalMime.parse(raw);
    expect(mail).toMatchObject({
      subject: 'Чай и кофе',
      from: { address: 'news@mail.example', name: '' },
      to: [{ address: 'anna@tea.example', name: '' }],
      date: '2026-03-04T05:06:07.000Z',
    });
    expect(mail.text!.trim()).toBe(text);
    expect(mail.headers.find(({ key }) => key === 'list-unsubscribe')!.value).toBe(`<${link}>`);
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
  });

  it('has the HTML of its text beside it', async () => {
    const { peer, driver } = await peerOf();
    const html = '<p>Привет, <strong>Анна</strong></p>';
    await send(driver, message({ payload: { subject: 'Чай', text: 'Привет, Анна', html } }));
    const { raw } = peer.received[0]!;
    expect(raw).toContain('Content-Type: multipart/alternative');
    const mail = await PostalMime.parse(raw);
    expect([mail.text!.trim(), mail.html!.trim()]).toEqual(['Привет, Анна', html]);
  });

  it('is signed, with what makes one click count under the signature', async () => {
    const keys = { dkimSelector: 'one', dkimKey: privateKey, bounceDomain: 'back.example' };
    const { peer, driver } = await peerOf({ ...keys, bounceSecret: SECRET });
    await send(driver, message({ payload: { subject: 'Чай', text: 'Привет. '.repeat(500) } }));
    const asked: string[] = [];
    const resolver = async (name: string) => {
      asked.push(name);
      const key = publicKey.replaceAll(/-----[^-]+-----|\s/g, '');
      return [[`v=DKIM1; k=rsa; p=${key}`]];
    };
    const { results } = await dkimVerify(Buffer.from(peer.received[0]!.raw), { resolver });
    expect(asked).toEqual(['one._domainkey.mail.example']);
    expect(results).toMatchObject([{ status: { result: 'pass' }, signingDomain: domain }]);
    const signed = results[0]!.signingHeaders.keys.toLowerCase().split(/[:\s]+/);
    expect(signed).toEqual(
      expect.arrayContaining([
        'from',
        'to',
        'subject',
        'date',
        'message-id',
        'list-unsubscribe',
        'list-unsubscribe-post',
      ]),
    );
  });

  it('of a key that was pasted into one line is signed as well', async () => {
    const dkimKey = privateKey.replaceAll('\n', ' ').trim();
    const { peer, driver } = await peerOf({ dkimSelector: 'one', dkimKey });
    await send(driver, message());
    expect(peer.received[0]!.raw).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256;/);
  });

  it.each([
    ['news@mail.example', 'news@mail.example', ''],
    ['News@Mail.Example', 'news@mail.example', ''],
    ['shop@eu.mail.example', 'shop@eu.mail.example', ''],
    ['Mir Tea', 'post@mail.example', 'Mir Tea'],
    ['Чай, кофе <news@mail.example>', 'news@mail.example', 'Чай, кофе'],
    ['Tea\r\nBcc: x', 'post@mail.example', 'Tea Bcc: x'],
  ])('from %j', async (sender, address, name) => {
    const { peer, driver } = await peerOf({ mailbox: 'post' });
    expect(await resultOf(driver, { sender })).toEqual({ result: 'accepted' });
    const { from, raw } = peer.received[0]!;
    expect(from).toBe(address);
    expect((await PostalMime.parse(raw)).from).toEqual({ address, name });
  });

  it.each([
    [{ sender: 'news@other.example' }, 'rejected_sender'],
    [{ sender: 'news@evilmail.example' }, 'rejected_sender'],
    [{ sender: 'news@mail.example.evil.example' }, 'rejected_sender'],
    [{ sender: 'ceo@bank.example <news@mail.example>' }, 'rejected_sender'],
    [{ sender: 'a@mail.example>,<b@other.example' }, 'rejected_sender'],
    [{ recipient: '+79161234567' }, 'invalid_recipient'],
    [{ recipient: 'anna@tea.example> SIZE=1' }, 'invalid_recipient'],
    [{ recipient: 'anna@tea.example\r\nRCPT TO:<bob@tea.example>' }, 'invalid_recipient'],
    [{ type: 'sms' as const }, 'unsupported'],
    [{ payload: { subject: 'Tea' } }, 'invalid_payload'],
    [{ payload: { text: ' \n' } }, 'invalid_payload'],
  ])('is none: %j', async (given, code) => {
    const { peer, driver } = await peerOf();
    expect(await resultOf(driver, given)).toEqual({ result: 'rejected', code });
    expect(peer.connections).toBe(0);
  });

  it.each([
    ['Tea\r\nBcc: eve@evil.example'],
    ['Tea\nX-Evil: 1'],
    ['Tea\u2028X-Evil: 1'],
    ['Tea\r\n\r\nbody'],
    ['Tea\0'],
  ])('has no header and no body of its subject %j', async (subject) => {
    const { peer, driver } = await peerOf();
    await send(driver, message({ payload: { subject, text: 'Hello' } }));
    const mail = await PostalMime.parse(peer.received[0]!.raw);
    expect(mail.headers.map(({ key }) => key)).not.toContain('x-evil');
    expect(mail.bcc).toBeUndefined();
    expect(mail.text!.trim()).toBe('Hello');
    expect(mail.subject).toMatch(/^Tea/);
  });

  it('has lines that any server takes, and texts that no line ends', async () => {
    const { peer, driver } = await peerOf();
    const texts = [
      'x'.repeat(5_000),
      'ж'.repeat(5_000),
      '.\r\n..\r\n.quit\r\n.',
      'From me\nFrom you',
    ];
    for (const text of texts)
      await send(driver, message({ payload: { subject: 'я '.repeat(120), text } }));
    expect(peer.received).toHaveLength(texts.length);
    for (const [i, { raw }] of peer.received.entries()) {
      expect(Math.max(...raw.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThan(
        999,
      );
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      const mail = await PostalMime.parse(raw);
      expect(mail.text!.replaceAll('\r\n', '\n').trim()).toBe(texts[i]!.replaceAll('\r\n', '\n'));
    }
  });

  it('to a domain in another alphabet goes to the name of it that servers know', async () => {
    const { lines, driver } = await scriptedOf(() => undefined);
    expect(await resultOf(driver, { recipient: 'anna@чай.example' })).toEqual({
      result: 'accepted',
    });
    expect(lines).toContain('RCPT TO:<anna@xn--80as4b.example>');
  });

  it('to a mailbox in another alphabet needs a server that takes it', async () => {
    const recipient = 'анна@чай.example';
    const without = await scriptedOf(() => undefined);
    expect(await resultOf(without.driver, { recipient })).toMatchObject({
      result: 'rejected',
      code: 'invalid_recipient',
    });
    const { peer, driver } = await peerOf();
    expect(await resultOf(driver, { recipient })).toEqual({ result: 'accepted' });
    expect(peer.received[0]!.to).toEqual([recipient]);
  });

  it('has the file of its message, which is read once for many', async () => {
    const { peer, driver } = await peerOf({ dkimSelector: 'one', dkimKey: privateKey });
    const payload = { subject: 'Prices', text: 'Hello', file: 'prices' };
    files.reads = 0;
    await send(driver, message({ payload }), message({ payload }));
    expect(files.reads).toBe(1);
    for (const { raw } of peer.received) {
      const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' });
      expect(mail.text!.trim()).toBe('Hello');
      expect(mail.headers.map(({ key }) => key)).not.toContain('x-evil');
      expect(mail.attachments).toMatchObject([
        {
          filename: 'Чай X-Evil: 1.pdf',
          mimeType: 'application/pdf',
          disposition: 'attachment',
          content: '%PDF-1.4 a price list',
        },
      ]);
    }
  });

  it.each([
    ['none', 'invalid_payload'],
    ['large', 'too_long'],
  ])('is none with the file %s', async (file, code) => {
    const { peer, driver } = await peerOf();
    const payload = { text: 'Hello', file };
    expect(await resultOf(driver, { payload })).toEqual({ result: 'rejected', code });
    expect(peer.connections).toBe(0);
  });

  it('waits for a file while the store is away', async () => {
    const { driver } = await peerOf();
    const waiting = message({ payload: { text: 'Hello', file: 'away' } });
    const results = await send(driver, message(), waiting, message());
    expect(results.map(({ result }) => result)).toEqual(['accepted', 'throttled', 'accepted']);
  });

  it('returns to an address of its own, from which its id can be told', async () => {
    const back = { bounceDomain: 'back.example', bounceSecret: SECRET };
    const { peer, driver } = await peerOf(back);
    const one = message();
    await send(driver, one);
    const { from, raw } = peer.received[0]!;
    const [, token] = /^bounce-([0-9a-f]{52})@back\.example$/.exec(from) ?? [];
    expect(token).toMatch(new RegExp(`^${one.reference.replaceAll('-', '')}`));
    expect(raw).toContain(`Message-ID:\r\n <${token}@mail.example>\r\n`);
  });
});

describe('a connection', () => {
  it('is encrypted and its certificate verified', async () => {
    const tls = { startTls: 'required', ca: CERTIFICATE, serverName: 'smsc.example' };
    const login = { username: 'helio', password: 'secret pass' };
    const { peer, driver } = await peerOf({ ...tls, ...login });
    expect(await resultOf(driver)).toEqual({ result: 'accepted' });
    expect(peer.received).toMatchObject([{ isSecure: true, user: 'helio' }]);
    const wrapped = await peerOf({ ...tls, ...login }, { secure: true });
    expect(await resultOf(wrapped.driver)).toEqual({ result: 'accepted' });
    expect(wrapped.peer.received).toMatchObject([{ isSecure: true, user: 'helio' }]);
    for (const wrong of [{ ...tls, serverName: 'other.example' }, { startTls: 'required' }]) {
      const driver = driverOf(wrapped.url, wrong);
      await expect(send(driver, message())).rejects.toThrow(ChannelDown);
    }
  });

  it('is none without the encryption that is required', async () => {
    const { commands, driver } = await scriptedOf(
      (command) => (command === 'STARTTLS' ? '502 not here' : undefined),
      { startTls: 'required' },
    );
    await expect(send(driver, message())).rejects.toThrow(ChannelDown);
    expect(commands).not.toContain('MAIL');
  });

  it('goes to allowed addresses only', async () => {
    const { url, peer } = await peerOf();
    await expect(send(driverOf(url, {}, ''), message())).rejects.toThrow(/not a public address/);
    expect(peer.connections).toBe(0);
  });

  it('carries many mails, as many as the server allows, and is used again', async () => {
    const { peer, driver } = await peerOf({ maxMessages: 3 });
    const batch = Array.from({ length: 7 }, () => message());
    expect(await send(driver, ...batch)).toEqual(
      batch.map(({ reference }) => ({ reference, result: 'accepted' })),
    );
    expect(peer.connections).toBe(3);
    await send(driver, message());
    expect(peer.connections).toBe(3);
  });

  it('of a refused login tells no secret', async () => {
    const tls = { startTls: 'required', ca: CERTIFICATE, serverName: 'smsc.example' };
    const { peer, driver } = await peerOf({ ...tls, username: 'helio', password: 'hunter22' });
    peer.refuse = (step, value) => (step === 'login' ? `535 5.7.8 not ${value}` : undefined);
    const error = await send(driver, message()).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error).toMatchObject({ retryAfter: 60_000 });
    expect(JSON.stringify([(error as Error).message, (error as Error).cause])).not.toContain(
      'hunter22',
    );
  });

  it('that was closed while it rested is replaced', async () => {
    let mails = 0;
    const { driver, commands } = await scriptedOf((command) => {
      if (command === 'MAIL' && ++mails === 2) return null;
      return undefined;
    });
    expect(await resultOf(driver)).toEqual({ result: 'accepted' });
    expect(await resultOf(driver)).toEqual({ result: 'accepted' });
    expect(commands.filter((command) => command === 'EHLO')).toHaveLength(2);
  });
});

describe('what the server says', () => {
  const refused = (
    code: string,
    carrierCode: string | number,
    text: string,
    more: object = {},
  ) => ({
    result: 'rejected',
    code,
    carrierCode,
    text,
    ...more,
  });
  const throttled = { result: 'throttled', retryAfter: 60_000 };
  const bounce = { suppress: 'bounce' };

  it.each([
    ['to', '550 5.1.1 no such user', refused('number_not_found', '5.1.1', 'no such user', bounce)],
    ['to', '550 5.1.2 no such host', refused('number_not_found', '5.1.2', 'no such host', bounce)],
    ['to', '550 5.2.1 closed', refused('absent_subscriber', '5.2.1', 'closed', bounce)],
    ['to', '552 5.2.2 full', refused('memory_full', '5.2.2', 'full')],
    ['to', '550 go away', refused('undeliverable', 550, 'go away')],
    ['to', '553 5.7.1 not here', refused('blocked', '5.7.1', 'not here')],
    ['to', '450 4.2.1 greylisted', throttled],
    ['to', '451 later', throttled],
    ['to', '452 4.2.2 full for now', throttled],
    ['from', '553 5.1.8 who are you', refused('rejected_sender', '5.1.8', 'who are you')],
    ['data', '554 5.7.1 spam', refused('blocked', '5.7.1', 'spam')],
    ['data', '554 5.6.0 bad content', refused('content_rejected', '5.6.0', 'bad content')],
    ['data', '552 5.3.4 too big', refused('too_long', '5.3.4', 'too big')],
    ['data', '550 4.7.1 odd', refused('blocked', '4.7.1', 'odd')],
    ['data', '554 no', refused('rejected', 554, 'no')],
    ['data', '451 4.3.0 later', throttled],
  ])('at %s: %s', async (step, reply, result) => {
    const { peer, driver } = await peerOf();
    peer.refuse = (at) => (at === step ? reply : undefined);
    expect(await resultOf(driver)).toEqual(result);
    // The connection is as good as before.
    peer.refuse = () => undefined;
    expect(await resultOf(driver)).toEqual({ result: 'accepted' });
    expect(peer.received).toHaveLength(1);
  });

  it('less and less often of a receiver that defers', async () => {
    const { peer, driver } = await peerOf();
    peer.refuse = (step) => (step === 'to' ? '450 4.2.1 later' : undefined);
    const waits: unknown[] = [];
    for (const tries of [0, 1, 3, 6, 1_000]) waits.push(await resultOf(driver, { tries }));
    expect(waits).toEqual(
      [60, 120, 480, 3600, 3600].map((s) => ({ result: 'throttled', retryAfter: s * 1000 })),
    );
  });

  it('of one mail ends before the next begins, also if it is far away', async () => {
    const server = await scriptedServer(
      (command) => (command === 'RCPT' && server.commands.length < 5 ? '550 5.1.1 no' : undefined),
      20,
    );
    open.push(() => server.close());
    const results = await send(driverOf(server.url), message(), message());
    expect(results.map(({ result }) => result)).toEqual(['rejected', 'accepted']);
    expect(server.commands.slice(0, 7)).toEqual([
      'EHLO',
      'MAIL',
      'RCPT',
      'RSET',
      'MAIL',
      'RCPT',
      'DATA',
    ]);
  });

  it('of one mail does not hold the others', async () => {
    const { peer, driver } = await peerOf();
    peer.refuse = (step, value) =>
      step === 'to' && value.startsWith('b') ? '550 5.1.1 no' : undefined;
    const batch = ['a', 'b', 'c'].map((name) => message({ recipient: `${name}@tea.example` }));
    const results = await send(driver, ...batch);
    expect(results.map(({ result }) => result)).toEqual(['accepted', 'rejected', 'accepted']);
    expect(peer.received.map(({ to }) => to[0])).toEqual(['a@tea.example', 'c@tea.example']);
  });

  it.each([
    ['CONNECT', '421 too many connections', 10_000],
    ['CONNECT', '554 no service', 10_000],
    ['CONNECT', null, 10_000],
    ['EHLO', null, 10_000],
    ['MAIL', '421 4.7.0 too many', 30_000],
    ['MAIL', '450 4.7.1 too much mail', 30_000],
    ['MAIL', '530 5.7.0 log in', 60_000],
    ['RCPT', '421 closing', 30_000],
    ['DOT', '421 closing', 30_000],
    ['MAIL', null, 30_000],
    ['RCPT', null, 30_000],
    ['DATA', null, 30_000],
  ])('ends the call where nothing has left: %s %s', async (step, reply, retryAfter) => {
    const { driver } = await scriptedOf((command) => (command === step ? reply : undefined));
    const error = await send(driver, message(), message()).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ChannelDown);
    expect(error).toMatchObject({ retryAfter });
  });

  it.each([
    ['CONTENT', null],
    ['DOT', null],
    ['DOT', '354 what'],
    ['DOT', 'nonsense'],
  ])('nothing, after the mail: %s %s', async (step, reply) => {
    let isCut = false;
    const { driver, commands } = await scriptedOf((command) => {
      if (command !== step || isCut) return undefined;
      isCut = true;
      return reply;
    });
    const text = 'Hello, Anna. '.repeat(7_000);
    const [lost, next] = [message({ payload: { text } }), message()];
    // What became of the first is not known, and it is not sent again.
    expect(await send(driver, lost, next)).toEqual([
      { reference: next.reference, result: 'accepted' },
    ]);
    expect(commands.filter((command) => command === 'MAIL')).toHaveLength(2);
  });

  it('nothing, and is away then: the call is not made again as a whole', async () => {
    let hasLeft = false;
    const { driver } = await scriptedOf((command) => {
      if (command === 'DOT') hasLeft = true;
      return hasLeft ? null : undefined;
    });
    const batch = [message(), message()];
    expect(await send(driver, ...batch)).toEqual([
      { reference: batch[1]!.reference, result: 'unsent' },
    ]);
  });

  it('no more in the middle of a batch: the rest has not left', async () => {
    let mails = 0;
    const { driver } = await scriptedOf((command) =>
      command === 'MAIL' && ++mails > 2 ? '421 enough' : undefined,
    );
    const results = await send(driver, message(), message(), message(), message());
    expect(results.map(({ result }) => result)).toEqual([
      'accepted',
      'accepted',
      'unsent',
      'unsent',
    ]);
  });

  it('too late: the mail under way is unknown, the others have not left', async () => {
    const controller = new AbortController();
    const { driver } = await scriptedOf((command) => {
      if (command === 'DOT') setImmediate(() => controller.abort());
      return command === 'DOT' ? '' : undefined;
    });
    const batch = [message(), message()];
    const results = await driver.send(batch, {
      now,
      signal: controller.signal,
      progress: () => undefined,
    });
    expect(results).toEqual([{ reference: batch[1]!.reference, result: 'unsent' }]);
  });

  it('that a mail is larger than it takes', async () => {
    const { driver } = await peerOf({}, { size: 1_000 });
    const payload = { text: 'x'.repeat(5_000) };
    expect(await resultOf(driver, { payload })).toEqual({ result: 'rejected', code: 'too_long' });
    expect(await resultOf(driver)).toEqual({ result: 'accepted' });
  });

  it('without end: the answer is cut off', async () => {
    const { driver } = await scriptedOf((command) =>
      command === 'EHLO' ? '250-'.padEnd(200_000, 'x') : undefined,
    );
    await expect(send(driver, message())).rejects.toThrow(ChannelDown);
  });
});

describe('the time without a bounce', () => {
  const query = (
    deliveredAfter: number,
    seconds: number,
    state: 'submitted' | 'unknown' | 'reported',
  ) =>
    driverOf('smtp://127.0.0.1:9', { deliveredAfter }).query!(
      [{ reference: 'r', type: 'email', recipient: 'a@tea.example', submittedAt: now, state }],
      { now: at(seconds), since: null, signal: AbortSignal.timeout(1_000) },
    );
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

  it.each([
    [0, 0, 'submitted', [{ reference: 'r', status: 'delivered', at: now }], null],
    [60, 59, 'submitted', [], at(60)],
    [60, 61, 'submitted', [{ reference: 'r', status: 'delivered', at: at(60) }], null],
    [60, 61, 'unknown', [], null],
    [60, 61, 'reported', [], null],
  ] as const)('of %i s, after %i s, %s', async (after, seconds, state, reports, nextAt) => {
    expect(await query(after, seconds, state)).toEqual({ reports, replies: [], nextAt });
  });

  it('is before its expiry', () => {
    const facts = describeChannel(settings('smtp://mail.example', { deliveredAfter: 100 }));
    expect(facts.expiresAfter!('email')).toBeGreaterThan(100);
  });
});
