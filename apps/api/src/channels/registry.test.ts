import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';

import { CERTIFICATE, PRIVATE_KEY } from '../../test/peers/certificate.ts';
import { InvalidOptions } from './channel.ts';
import { NO_FILES } from '../../test/peers/message-files.ts';
import { NO_CHATS } from '../../test/peers/chats.ts';
import { NO_DEVICES } from '../../test/peers/push-devices.ts';
import { Outbound } from '../core/http/outbound.ts';
import { describeChannel, OpenChannels, openDriver as open } from './registry.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const url = 'http://127.0.0.1:9/messages';

const context = {
  outbound: new Outbound('127.0.0.0/8', 'CHANNEL_ALLOWED_HOSTS'),
  senders: { send: () => Promise.reject(new Error('no senders')) },
  files: NO_FILES,
  devices: NO_DEVICES,
  chats: () => NO_CHATS,
  inbox: () => ({ reports: () => Promise.resolve(), messages: () => Promise.resolve() }),
};

function settings(driver: string, options: Record<string, unknown>, revision = 1) {
  return { name: 'main', driver, options, revision };
}
const openDriver = (of: ReturnType<typeof settings>) => open(of, context);

const smtp = { url: 'smtp://mx.example', domain: 'mail.example' };
const login = { username: 'helio', password: 'secret' };
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const accountWith = (changes: object) =>
  JSON.stringify({
    type: 'service_account',
    client_email: 'push@tea-shop-1.iam.gserviceaccount.com',
    private_key: privateKey,
    ...changes,
  });
/** The key of RFC 8291, appendix A. */
const vapid = {
  subject: 'mailto:push@tea.example',
  publicKey:
    'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
};
const fcm = { projectId: 'tea-shop-1', serviceAccount: accountWith({}) };
const whatsapp = {
  phoneNumberId: '106540352242922',
  accessToken: 'EAAJB-a-token-of-a-user',
  appSecret: 'the-secret-of-an-app',
  verifyToken: 'a-token-to-verify-with',
};
const ari = {
  url: 'https://pbx.example:8089/ari',
  username: 'helio',
  password: 'secret',
  endpoint: 'PJSIP/{number}@trunk',
};
const gateway = {
  token: 'a-token-of-the-gateway',
  callbackUrl: 'https://sms.example/api/callbacks/codes',
};
const bot = {
  token: '4200:AAH-a-token-of-a-bot',
  callbackUrl: 'https://sms.example/api/callbacks/bot',
};
const max = {
  token: 'f9LHodD0cOK-a_token_of_a_bot',
  callbackUrl: 'https://sms.example/api/callbacks/max',
};
const smpp = { url: 'smpp://smsc.example', systemId: 'helio', password: 'secret' };

describe('options', () => {
  it.each([
    ['fax', {}, 'driver: no driver is called fax'],
    ['toString', {}, 'driver: no driver is called toString'],
    ['simulator', { profile: 'brisk' }, 'profile: '],
    ['simulator', { silent: 7 }, 'silent: '],
    ['simulator', { failed: 0.6, silent: 0.6 }, 'must not exceed 1'],
    ['simulator', { seenDelay: [9, 1] }, 'seenDelay: '],
    ['simulator', { sillent: 0.1 }, 'sillent'],
    ['http', { secret }, 'url: '],
    ['http', { url: 'ftp://carrier', secret }, 'url: This is not an http or https address.'],
    ['http', { url, secret: 'hunter2' }, 'secret: A secret is whsec_'],
    ['http', { url, secret, timeoutMs: 1 }, 'timeoutMs: '],
    ['http', { url: 'x', secret: 'y' }, /url: .* secret: /],
    ['smpp', { ...smpp, url: 'https://smsc.example' }, 'url: This is no address smpp://host:port.'],
    ['smpp', { ...smpp, url: 'smpp://smsc.example:70000' }, 'url: '],
    ['smpp', { ...smpp, url: 'smpp://helio:secret@smsc.example' }, 'url: The address has a host'],
    ['smpp', { ...smpp, url: 'smpp://smsc.example/path' }, 'url: The address has a host'],
    ['smpp', { ...smpp, url: 'smpp:2775' }, 'url: '],
    ['smpp', { ...smpp, systemId: 'longer than fifteen' }, 'systemId: '],
    ['smpp', { ...smpp, password: 'ninechars' }, 'password: A password has 1 to 8 characters.'],
    ['smpp', { url: smpp.url, systemId: 'helio' }, 'password: Give the password'],
    ['smpp', { ...smpp, mode: 'receiver' }, 'mode: '],
    ['smpp', { ...smpp, binds: 0 }, 'binds: '],
    ['smpp', { ...smpp, window: 1.5 }, 'window: '],
    ['smpp', { ...smpp, senderName: '5' }, 'senderName: Type of number'],
    ['smpp', { ...smpp, recipient: '1/256' }, 'recipient: Type of number'],
    ['smpp', { ...smpp, dataCoding: 8 }, 'ucs2DataCoding: The two alphabets need different'],
    ['smpp', { ...smpp, validitySeconds: 59 }, 'validitySeconds: '],
    ['smpp', { ...smpp, errors: '7' }, 'errors: Errors are code=reason'],
    ['smpp', { ...smpp, errors: '7=gone' }, 'errors: 7=gone: not a code'],
    ['smpp', { ...smpp, errors: '7=stopped' }, 'errors: 7=stopped: not a code'],
    ['smpp', { ...smpp, errors: '0x=blocked' }, 'errors: 0x=blocked: not a code'],
    ['smpp', { ...smpp, ca: CERTIFICATE }, 'ca: Certificates belong to addresses smpps://.'],
    ['smpp', { ...smpp, url: 'smpps://smsc.example', ca: 'x' }, 'ca: This is no certificate'],
    ['smpp', { ...smpp, url: 'smpps://smsc.example', serverName: 'a b' }, 'serverName: '],
    ['smtp', { ...smtp, url: 'https://mx.example' }, 'url: This is no address smtp://host:port.'],
    ['smtp', { ...smtp, url: 'smtp://a:b@mx.example' }, 'url: The address has a host'],
    ['smtp', { url: smtp.url }, 'domain: '],
    ['smtp', { ...smtp, domain: 'mail' }, 'domain: A domain in small'],
    ['smtp', { ...smtp, domain: 'mail.example>' }, 'domain: A domain in small'],
    ['smtp', { ...smtp, mailbox: 'a@b' }, 'mailbox: '],
    ['smtp', { ...smtp, username: 'helio' }, 'password: Belongs to username.'],
    ['smtp', { ...smtp, password: 'secret' }, 'username: Belongs to password.'],
    ['smtp', { ...smtp, ...login, startTls: 'offered' }, 'startTls: A password goes over'],
    ['smtp', { ...smtp, ...login, startTls: 'never' }, 'startTls: A password goes over'],
    [
      'smtp',
      { ...smtp, url: 'smtps://mx.example', startTls: 'never' },
      'startTls: A connection to',
    ],
    ['smtp', { ...smtp, dkimSelector: 'one' }, 'dkimKey: Belongs to dkimSelector.'],
    ['smtp', { ...smtp, dkimSelector: 'one', dkimKey: 'x' }, 'dkimKey: This is no RSA key'],
    ['smtp', { ...smtp, dkimSelector: 'one', dkimKey: PRIVATE_KEY }, 'dkimKey: This is no RSA key'],
    ['smtp', { ...smtp, dkimSelector: 'a;b=c', dkimKey: 'x' }, 'dkimSelector: '],
    ['smtp', { ...smtp, bounceDomain: 'back.example' }, 'bounceSecret: Belongs to bounceDomain.'],
    ['smtp', { ...smtp, bounceDomain: 'back.example', bounceSecret: 'short' }, 'bounceSecret: '],
    ['smtp', { ...smtp, startTls: 'never', ca: CERTIFICATE }, 'ca: Certificates belong to'],
    ['smtp', { ...smtp, connections: 51 }, 'connections: '],
    ['fcm', { projectId: 'tea-shop-1' }, 'serviceAccount: Give the key'],
    ['fcm', { ...fcm, projectId: '../other' }, 'projectId: This is not the id'],
    ['fcm', { ...fcm, serviceAccount: 'key' }, 'serviceAccount: This is no key'],
    ['fcm', { ...fcm, serviceAccount: accountWith({ type: 'user' }) }, 'serviceAccount: '],
    [
      'fcm',
      { ...fcm, serviceAccount: accountWith({ private_key: PRIVATE_KEY }) },
      'serviceAccount: ',
    ],
    ['fcm', { ...fcm, serviceAccount: accountWith({ client_email: 'x' }) }, 'serviceAccount: '],
    ['fcm', { ...fcm, url: 'ftp://fcm.example' }, 'url: This is not an http'],
    ['fcm', { ...fcm, tokenUrl: 'https://a:b@oauth.example' }, 'tokenUrl: Who reads channels'],
    ['fcm', { ...fcm, connections: 101 }, 'connections: '],
    ['whatsapp-cloud', {}, /phoneNumberId: .* accessToken: .* appSecret: .* verifyToken: /],
    ['whatsapp-cloud', { ...whatsapp, phoneNumberId: '+1 555 0783881' }, 'phoneNumberId: An id'],
    ['whatsapp-cloud', { ...whatsapp, businessAccountId: 'tea' }, 'businessAccountId: An id of'],
    ['whatsapp-cloud', { ...whatsapp, accessToken: 'a token with spaces' }, 'accessToken: A token'],
    ['whatsapp-cloud', { ...whatsapp, appSecret: 'short' }, 'appSecret: A secret has 16'],
    ['whatsapp-cloud', { ...whatsapp, verifyToken: 'x'.repeat(256) }, 'verifyToken: A secret has'],
    ['whatsapp-cloud', { ...whatsapp, version: '23' }, 'version: A version is written as v23.0.'],
    ['whatsapp-cloud', { ...whatsapp, version: 'v23.0/../v1' }, 'version: A version is written'],
    [
      'whatsapp-cloud',
      { ...whatsapp, url: 'https://a:b@graph.example' },
      'url: Who reads channels',
    ],
    ['whatsapp-cloud', { ...whatsapp, deduplicates: true }, 'deduplicates'],
    ['telegram-gateway', {}, /token: .* callbackUrl: /],
    ['telegram-gateway', { ...gateway, token: 'a token with spaces' }, 'token: A token has 16'],
    [
      'telegram-gateway',
      { ...gateway, callbackUrl: 'http://sms.example' },
      'callbackUrl: Telegram',
    ],
    ['telegram-gateway', { ...gateway, username: '@mir_tea' }, 'username: A name has 4'],
    ['telegram-gateway', { ...gateway, ttl: 29 }, 'ttl: '],
    ['telegram-gateway', { ...gateway, ttl: 3601 }, 'ttl: '],
    ['telegram-gateway', { ...gateway, url: 'https://a:b@tg.example' }, 'url: Who reads channels'],
    ['telegram-gateway', { ...gateway, deduplicates: true }, 'deduplicates'],
    ['telegram-bot', {}, /token: .* callbackUrl: /],
    ['telegram-bot', { ...bot, token: '4200:../getMe' }, 'token: A token of a bot is'],
    ['telegram-bot', { ...bot, token: 'AAH-a-token-of-a-bot-alone' }, 'token: A token of a bot is'],
    [
      'telegram-bot',
      { ...bot, callbackUrl: 'http://sms.example/a' },
      'callbackUrl: Telegram posts',
    ],
    ['telegram-bot', { ...bot, callbackUrl: 'https://sms.example:8080/a' }, 'callbackUrl: '],
    ['telegram-bot', { ...bot, callbackUrl: 'https://a:b@sms.example/a' }, 'callbackUrl: '],
    ['telegram-bot', { ...bot, greeting: 'x'.repeat(1001) }, 'greeting: '],
    ['telegram-bot', { ...bot, url: 'https://a:b@tg.example' }, 'url: Who reads channels'],
    ['telegram-bot', { ...bot, deduplicates: true }, 'deduplicates'],
    ['max-bot', {}, /token: .* callbackUrl: /],
    ['max-bot', { ...max, token: 'a token with spaces' }, 'token: A token has 16 to 300'],
    ['max-bot', { ...max, token: 'short' }, 'token: A token has 16 to 300'],
    ['max-bot', { ...max, callbackUrl: 'http://sms.example/a' }, 'callbackUrl: MAX posts'],
    ['max-bot', { ...max, callbackUrl: 'https://sms.example:8443/a' }, 'callbackUrl: MAX posts'],
    ['max-bot', { ...max, callbackUrl: 'https://a:b@sms.example/a' }, 'callbackUrl: '],
    ['max-bot', { ...max, greeting: 'x'.repeat(1001) }, 'greeting: '],
    ['max-bot', { ...max, url: 'https://a:b@max.example' }, 'url: Who reads channels'],
    ['max-bot', { ...max, deduplicates: true }, 'deduplicates'],
    ['web-push', { ...vapid, subject: 'mailto:push@localhost' }, 'subject: This is neither'],
    ['web-push', { ...vapid, subject: 'push@tea.example' }, 'subject: This is neither'],
    ['web-push', { ...vapid, subject: 'https://10.0.0.1' }, 'subject: This is neither'],
    ['web-push', { subject: vapid.subject, publicKey: vapid.publicKey }, 'privateKey: Give'],
    ['web-push', { ...vapid, publicKey: 'BCVx' }, 'publicKey: A public key is'],
    ['web-push', { ...vapid, privateKey: 'A'.repeat(43) }, 'privateKey: The keys are not a pair.'],
    ['web-push', { ...vapid, url: 'https://push.example' }, 'url'],
    ['ari', { ...ari, url: 'https://a:b@pbx.example/ari' }, 'url: Who reads channels'],
    ['ari', { ...ari, url: 'https://pbx.example/ari?api_key=a:b' }, 'url: The address ends'],
    ['ari', { ...ari, username: 'a:b' }, 'username: A user name has'],
    ['ari', { ...ari, password: undefined }, 'password: Give the password'],
    ['ari', { ...ari, app: 'a b' }, 'app: The name of an application'],
    ['ari', { ...ari, endpoint: 'PJSIP/trunk' }, 'endpoint: An endpoint has {number} once.'],
    ['ari', { ...ari, endpoint: 'PJSIP/{number} ' }, 'endpoint: An endpoint is written as'],
    ['ari', { ...ari, flashCaller: '74951230000' }, 'flashCaller: The number of flash calls'],
    ['ari', { ...ari, flashCaller: '74951230000XXXXX' }, 'flashCaller: A number has up to 15'],
    ['ari', { ...ari, speech: 'https://{text}.example/' }, 'speech: The address of speech'],
    ['ari', { ...ari, speech: 'https://tts.example/say.wav' }, 'speech: The address of speech'],
    ['ari', { ...ari, speech: 'file:///{text}' }, 'speech: The address of speech'],
    ['ari', { ...ari, lines: 0 }, 'lines: '],
  ])('%s %j', (driver, options, message) => {
    for (const use of [openDriver, describeChannel]) {
      const used = () => use(settings(driver, options));
      expect(used).toThrow(InvalidOptions);
      expect(used).toThrow(message);
    }
  });

  it.each([
    ['simulator', {}, { deduplicates: true, maxBatch: 1000, isQueried: true }],
    ['simulator', { latencyMs: 300 }, { concurrency: 16 }],
    ['http', { url, secret }, { deduplicates: false, concurrency: 4, isQueried: false }],
    [
      'http',
      { url, secret, deduplicates: true, connections: 9 },
      { deduplicates: true, concurrency: 9 },
    ],
    ['smpp', smpp, { deduplicates: false, concurrency: 3, maxBatch: 20, sessions: { binds: 1 } }],
    ['smpp', { ...smpp, window: 1, binds: 4 }, { maxBatch: 10, sessions: { binds: 4 } }],
    ['smpp', { ...smpp, window: 1_000 }, { maxBatch: 500 }],
    ['smpp', { ...smpp, url: 'smpps://[::1]:3551', ca: CERTIFICATE }, { isQueried: false }],
    ['smpp', { ...smpp, errors: '7=blocked, 0x0410 = not_authorized,' }, {}],
    ['smtp', { ...smtp, ...login }, { deduplicates: false, concurrency: 4, isQueried: true }],
    ['smtp', { ...smtp, url: 'smtps://mx.example', ...login, connections: 9 }, { concurrency: 9 }],
    ['fcm', fcm, { deduplicates: false, concurrency: 4, maxBatch: 100, isQueried: true }],
    ['fcm', { ...fcm, connections: 3 }, { concurrency: 3 }],
    ['web-push', vapid, { deduplicates: false, concurrency: 4, maxBatch: 100, isQueried: true }],
    ['web-push', { ...vapid, subject: 'https://tea.example/push' }, {}],
    ['wapi', {}, { maxBatch: 50 }],
    ['whatsapp-cloud', whatsapp, { deduplicates: false, maxBatch: 20, concurrency: 4 }],
    ['ari', ari, { deduplicates: false, maxBatch: 10, concurrency: 2, sessions: { binds: 1 } }],
    ['ari', { ...ari, lines: 3, flashCaller: '7495123XXXX' }, { maxBatch: 3, isQueried: false }],
    ['whatsapp-cloud', { ...whatsapp, connections: 9 }, { concurrency: 9, isQueried: false }],
    ['telegram-gateway', gateway, { deduplicates: false, maxBatch: 20, concurrency: 4 }],
    [
      'telegram-bot',
      bot,
      { deduplicates: false, maxBatch: 20, isQueried: true, isAnnounced: true },
    ],
    ['telegram-bot', { ...bot, callbackUrl: 'https://sms.example:8443/a' }, { concurrency: 4 }],
    ['max-bot', max, { deduplicates: false, maxBatch: 20, isQueried: true, isAnnounced: true }],
    ['max-bot', { ...max, callbackUrl: 'https://sms.example:443/a' }, { concurrency: 4 }],
  ])('tell what holds without a connection: %s %j', (driver, options, facts) => {
    expect(describeChannel(settings(driver, options, 3))).toMatchObject({ ...facts, revision: 3 });
  });

  it('of the simulator tell when its messages expire', () => {
    const facts = describeChannel(settings('simulator', { expiresAfter: 7 }));
    expect(facts.expiresAfter!('sms')).toBe(7);
    expect(describeChannel(settings('http', { url, secret })).expiresAfter).toBeUndefined();
    const valid = describeChannel(settings('smpp', { ...smpp, validitySeconds: 60 }));
    expect(valid.expiresAfter!('sms')).toBe(3_660);
    expect(describeChannel(settings('smpp', smpp)).expiresAfter).toBeUndefined();
    const calls = describeChannel(settings('ari', { ...ari, ringSeconds: 20 })).expiresAfter!;
    expect([calls('voice'), calls('flashcall')]).toEqual([3_620, 40]);
  });
});

describe('open channels', () => {
  const channels = new OpenChannels(context);
  afterEach(() => channels.close());

  it('stay open until their settings change', () => {
    const first = channels.open(settings('http', { url, secret }));
    expect(channels.open(settings('http', { url, secret }))).toBe(first);
    const changed = channels.open(settings('http', { url, secret, maxBatch: 7 }, 2));
    expect(changed).not.toBe(first);
    expect(changed).toMatchObject({ facts: { maxBatch: 7, revision: 2 } });
  });

  it('keep former settings open for all who ask about them, and close them when they rest', async () => {
    const former = settings('http', { url, secret });
    let loaded = 0;
    const load = () => {
      loaded++;
      return Promise.resolve(former);
    };
    const asked = await Promise.all([channels.openFormer(1, load), channels.openFormer(1, load)]);
    const again = await channels.openFormer(1, load);
    expect(new Set([...asked, again]).size).toBe(1);
    expect(loaded).toBe(2);
    const closed = new Promise((resolve) => {
      Object.assign(again!, { close: async () => resolve('closed') });
    });
    await channels.close();
    await expect(closed).resolves.toBe('closed');
  });

  it('hand the driver of replaced settings to who asks about them', async () => {
    const first = channels.open(settings('simulator', {}));
    channels.open(settings('simulator', { seed: 2 }, 2));
    const former = await channels.openFormer(1, () => Promise.reject(new Error('it is open')));
    expect(former).toBe(first);
    expect(await channels.openFormer(9, () => Promise.resolve(undefined))).toBeUndefined();
  });
});
