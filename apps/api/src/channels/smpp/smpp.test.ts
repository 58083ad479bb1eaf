import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

import { RECEIPT_FORMAT_NAMES, Smsc, type SmscOptions } from '@heliograph/simulators';
import { type Answer, type Pdu, type PduInput, Session, STATUS, tlv } from '@heliograph/smpp';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { NO_FILES } from '../../../test/peers/message-files.ts';
import { CERTIFICATE, PRIVATE_KEY } from '../../../test/peers/certificate.ts';
import { NO_CHATS } from '../../../test/peers/chats.ts';
import { NO_DEVICES } from '../../../test/peers/push-devices.ts';
import { Outbound } from '../../core/http/outbound.ts';
import {
  type CarrierMessage,
  type CarrierReport,
  ChannelDown,
  type Driver,
  type OutgoingMessage,
} from '../channel.ts';
import { openDriver } from '../registry.ts';

const account = { systemId: 'helio', password: 'secret' };
const immediate = {
  sentDelay: [0, 0],
  deliveredDelay: [0, 0],
  failed: 0,
  temporary: 0,
  replies: 0,
} as const;
const LONG = '0123456789'.repeat(40);

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function smscOf(options: Partial<SmscOptions> = {}) {
  const smsc = new Smsc({ ...account, profile: immediate as never, ...options });
  open.push(() => smsc.close());
  return { smsc, url: `smpp://127.0.0.1:${await smsc.listen(0, '127.0.0.1')}` };
}

/** A carrier whose answers the test gives. */
async function carrierOf(
  answer: (request: Pdu) => Answer | Promise<Answer>,
  server: Server = createServer(),
  event = 'connection',
) {
  const sessions: Session[] = [];
  server.on(event, (socket: Socket) => {
    const session = new Session(socket, {
      handle: async (request) => answer(request),
    });
    sessions.push(session);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    for (const session of sessions) session.close('The test ends');
    server.close();
  });
  return { sessions, port: (server.address() as AddressInfo).port };
}

/** Binds everybody. */
const takesAll =
  (submit = (): Answer | Promise<Answer> => ({ messageId: '7' })) =>
  (request: Pdu) =>
    request.command.startsWith('bind_') ? { systemId: 'smsc' } : submit();

interface Opened {
  driver: Driver;
  reports: CarrierReport[];
  messages: CarrierMessage[];
  /** Sizes of what was stored at once. */
  groups: number[];
}

let lastChannel = 0;
function channelOf(
  options: object,
  store: () => Promise<void> = () => Promise.resolve(),
  { allowed = '127.0.0.0/8', name = `smsc-${++lastChannel}` } = {},
): Opened {
  const opened: Omit<Opened, 'driver'> = { reports: [], messages: [], groups: [] };
  const driver = openDriver(
    { name, driver: 'smpp', options: { ...account, ...options }, revision: 1 },
    {
      outbound: new Outbound(allowed, 'CHANNEL_ALLOWED_HOSTS'),
      senders: { send: () => Promise.reject(new Error('no senders')) },
      files: NO_FILES,
      devices: NO_DEVICES,
      chats: () => NO_CHATS,
      inbox: () => ({
        async reports(reports) {
          await store();
          opened.groups.push(reports.length);
          opened.reports.push(...reports);
        },
        async messages(messages) {
          await store();
          opened.messages.push(...messages);
        },
      }),
    },
  );
  open.push(() => driver.close!());
  return { driver, ...opened };
}

let sent = 0;
const messageOf = (more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  reference: `message-${++sent}`,
  type: 'sms',
  sender: 'Helio',
  recipient: `+7916${String(1_000_000 + sent)}`,
  payload: { text: 'Hello' },
  segments: 1,
  tries: 0,
  ...more,
});
const never = new AbortController().signal;
const send = (
  driver: Driver,
  batch: OutgoingMessage[],
  { signal = never, progress = () => {} } = {},
) => driver.send(batch, { now: new Date(), signal, progress });
const until = <T>(check: () => T) => vi.waitFor(check, { timeout: 60_000, interval: 10 });

describe('a message', () => {
  it.each(['transceiver', 'pair'])('goes and is reported over a %s', async (mode) => {
    const { smsc, url } = await smscOf();
    const { driver, reports } = channelOf({ url, mode });
    await driver.connect!(never);
    const message = messageOf({ payload: { text: 'Привет €' } });
    const [result] = await send(driver, [message]);
    const { log } = smsc;
    expect(log).toMatchObject([
      { source: 'Helio', recipient: message.recipient, text: 'Привет €', registeredDelivery: 1 },
    ]);
    const externalIds = [String(log[0]!.id).padStart(10, '0')];
    expect(result).toEqual({ reference: message.reference, result: 'accepted', externalIds });
    await until(() =>
      expect(reports).toMatchObject([{ externalId: externalIds[0], status: 'delivered' }]),
    );
    await until(() => expect(smsc.mailbox.acknowledged).toBe(1));
    expect(smsc.mailbox).toMatchObject({ size: 0, refused: 0 });
  });

  it('of several parts has the id of each in order, and a report of each', async () => {
    const { smsc, url } = await smscOf();
    const { driver, reports } = channelOf({ url });
    const [result] = await send(driver, [messageOf({ payload: { text: LONG } })]);
    const byPart = smsc.log.toSorted((a, b) => a.part!.index - b.part!.index);
    const externalIds = byPart.map(({ id }) => String(id).padStart(10, '0'));
    expect(result).toMatchObject({ result: 'accepted', externalIds });
    expect(byPart.map(({ text }) => text).join('')).toBe(LONG);
    await until(() =>
      expect(reports.map(({ externalId }) => externalId).sort()).toEqual(externalIds.toSorted()),
    );
  });

  it.each(RECEIPT_FORMAT_NAMES)('is found by receipts of the format %s', async (receipts) => {
    const { smsc, url } = await smscOf({ receipts });
    const forms: Record<string, object> = {
      'hex-answers': { answerIds: 'hex', receiptIds: 'decimal' },
      'hex-receipts': { answerIds: 'decimal', receiptIds: 'hex' },
      'capital-text': { answerIds: 'decimal', receiptIds: 'decimal' },
    };
    const { driver, reports } = channelOf({ url, ...forms[receipts] });
    const failing = { recipient: '+79990000002' };
    smsc.options.profile = { ...immediate, sentDelay: [0, 0] } as never;
    const results = await send(driver, [messageOf(), messageOf(failing)]);
    const ids = results.map((result) => 'externalIds' in result && result.externalIds![0]);
    await until(() => expect(reports).toHaveLength(2));
    expect(new Map(reports.map((report) => [report.externalId, report.status]))).toEqual(
      new Map([
        [ids[0], 'delivered'],
        [ids[1], 'failed'],
      ]),
    );
  });

  it('may be reported before it is answered', async () => {
    const { url } = await smscOf({ receiptsFirst: true, answerMs: 300 });
    const { driver, reports } = channelOf({ url });
    const sending = send(driver, [messageOf()]);
    await until(() => expect(reports).toHaveLength(1));
    expect(await sending).toMatchObject([
      { result: 'accepted', externalIds: [reports[0]!.externalId] },
    ]);
  });

  it('is one of many in the window, and its time is renewed while answers come', async () => {
    const { smsc, url } = await smscOf({ answerMs: 400 });
    const { driver } = channelOf({ url, window: 5 });
    let renewed = 0;
    const batch = Array.from({ length: 20 }, () => messageOf());
    const results = await send(driver, batch, { progress: () => renewed++ });
    expect(results.map(({ result }) => result)).toEqual(batch.map(() => 'accepted'));
    expect(results.map(({ reference }) => reference).sort()).toEqual(
      batch.map(({ reference }) => reference).sort(),
    );
    expect(smsc.log).toHaveLength(20);
    // Four windows of 400 ms.
    expect(renewed).toBeGreaterThan(0);
  });

  it('that is refused is rejected in the words of the carrier; others are not', async () => {
    const { url } = await smscOf();
    const { driver } = channelOf({ url });
    const batch = [messageOf({ sender: 'a name of twenty characters' }), messageOf()];
    const results = await send(driver, batch);
    expect(Object.fromEntries(results.map((one) => [one.reference, one]))).toMatchObject({
      [batch[0]!.reference]: {
        result: 'rejected',
        code: 'rejected_sender',
        text: 'ESME_RINVSRCADR',
      },
      [batch[1]!.reference]: { result: 'accepted' },
    });
  });

  it('beyond the rate is throttled, at the earliest for a second', async () => {
    const { url } = await smscOf({ profile: { ...immediate, throttled: 1 } as never });
    const { driver } = channelOf({ url, window: 1 });
    const [result] = await send(driver, [messageOf()]);
    expect(result).toMatchObject({ result: 'throttled' });
    expect((result as { retryAfter: number }).retryAfter).toBeGreaterThan(900);
  });
});

describe('a session', () => {
  it('that breaks in the middle of a window leaves unknown outcomes, and the rest unsent', async () => {
    const { smsc, url } = await smscOf({ breakAfter: 3 });
    const { driver } = channelOf({ url, window: 4 });
    await driver.connect!(never);
    const batch = Array.from({ length: 10 }, () => messageOf());
    const results = await send(driver, batch);
    const counts = (kind: string) => results.filter(({ result }) => result === kind).length;
    const taken = smsc.log.length;
    // What was answered before the break, what was under way, and what waited.
    expect(counts('accepted')).toBeGreaterThanOrEqual(0);
    expect(counts('accepted') + counts('unsent')).toBe(results.length);
    expect(counts('unsent')).toBe(10 - taken);
    expect(10 - results.length).toBe(taken - counts('accepted'));
    expect(10 - results.length).toBeGreaterThan(0);
    // The next call waits for the new session, or says how long.
    smsc.options.breakAfter = undefined;
    await until(() => driver.connect!(never));
    expect(await send(driver, [messageOf()])).toMatchObject([{ result: 'accepted' }]);
    expect(new Set(smsc.log.map(({ recipient }) => recipient)).size).toBe(smsc.log.length);
  });

  it('in which an answer is missing has an unknown outcome after its time', async () => {
    const { sessions, port } = await carrierOf(takesAll(() => new Promise<Answer>(() => {})));
    const { driver } = channelOf({ url: `smpp://127.0.0.1:${port}`, responseMs: 1_000 });
    expect(await send(driver, [messageOf()])).toEqual([]);
    await sessions[0]!.closed;
  });

  it('is left when the time of the batch runs out: what waits is unsent', async () => {
    const taken = Promise.withResolvers<void>();
    const submit = () => {
      taken.resolve();
      return new Promise<Answer>(() => {});
    };
    const { port } = await carrierOf(takesAll(submit));
    const { driver } = channelOf({ url: `smpp://127.0.0.1:${port}`, window: 1 });
    await driver.connect!(never);
    const stop = new AbortController();
    const [first, second] = [messageOf(), messageOf()];
    const sending = send(driver, [first, second], { signal: stop.signal });
    await taken.promise;
    stop.abort();
    expect(await sending).toEqual([{ reference: second.reference, result: 'unsent' }]);
  });

  it('that is refused is not tried again for a minute, and says why', async () => {
    const { url } = await smscOf();
    const { driver } = channelOf({ url, password: 'wrong' });
    for (const attempt of [driver.connect!(never), send(driver, [messageOf()])]) {
      const error = await attempt.catch((reason: unknown) => reason as ChannelDown);
      expect(error).toBeInstanceOf(ChannelDown);
      expect(error).toMatchObject({ message: 'The bind was refused with ESME_RINVPASWD' });
      expect((error as ChannelDown).retryAfter).toBeGreaterThan(50_000);
      expect(String(error)).not.toContain('wrong');
    }
  });

  it('of a pair is open when both sides are', async () => {
    const { port } = await carrierOf((request) =>
      request.command === 'bind_receiver' ? { status: STATUS.ESME_RBINDFAIL } : { systemId: '' },
    );
    const { driver } = channelOf({ url: `smpp://127.0.0.1:${port}`, mode: 'pair' });
    await expect(driver.connect!(never)).rejects.toThrow(/refused with ESME_RBINDFAIL/);
  });

  it('to nobody, and to an address that is not allowed, is a channel that is down', async () => {
    const { url } = await smscOf();
    await open.pop()!();
    await expect(channelOf({ url }).driver.connect!(never)).rejects.toThrow(ChannelDown);
    const refused = channelOf({ url }, undefined, { allowed: '' });
    await expect(refused.driver.connect!(never)).rejects.toThrow(/is not a public address/);
  });

  it('over TLS is for the carrier with the certificate alone', async () => {
    const server = createTlsServer({ cert: CERTIFICATE, key: PRIVATE_KEY });
    const { port } = await carrierOf(takesAll(), server, 'secureConnection');
    const url = `smpps://127.0.0.1:${port}`;
    const tls = { url, serverName: 'smsc.example' };
    await expect(channelOf(tls).driver.connect!(never)).rejects.toThrow(/self.signed certificate/);
    // As a field of one line leaves it.
    const ca = CERTIFICATE.replaceAll('\n', ' ');
    const { driver } = channelOf({ ...tls, ca });
    expect(await send(driver, [messageOf()])).toMatchObject([{ externalIds: ['7'] }]);
  });

  it('ends by the book', async () => {
    const { sessions, port } = await carrierOf(takesAll());
    const { driver } = channelOf({ url: `smpp://127.0.0.1:${port}` });
    await driver.connect!(never);
    await driver.close!();
    expect(await sessions[0]!.closed).toBe('The peer unbound');
    await expect(driver.connect!(never)).rejects.toThrow(ChannelDown);
  });

  it('does not begin before it is asked for', async () => {
    const { sessions, port } = await carrierOf(takesAll());
    const { driver } = channelOf({ url: `smpp://127.0.0.1:${port}` });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sessions).toEqual([]);
    await driver.close!();
  });
});

describe('what the carrier delivers', () => {
  const delivery = (more: Partial<PduInput<'deliver_sm'>> = {}) => ({
    sourceAddrTon: 1,
    sourceAddrNpi: 1,
    sourceAddr: '79161234567',
    destAddrTon: 5,
    destAddrNpi: 0,
    destinationAddr: 'Helio',
    shortMessage: Buffer.from('Da'),
    ...more,
  });

  async function bound(options: object = {}, store?: () => Promise<void>) {
    const { sessions, port } = await carrierOf(takesAll());
    const opened = channelOf({ url: `smpp://127.0.0.1:${port}`, ...options }, store);
    await opened.driver.connect!(never);
    return { ...opened, session: sessions[0]! };
  }

  it('of a person is stored, then acknowledged', async () => {
    const gate = Promise.withResolvers<void>();
    const { session, messages } = await bound({}, () => gate.promise);
    const answer = session.request('deliver_sm', delivery());
    await until(() => expect(session.inFlight).toBe(1));
    expect(messages).toEqual([]);
    gate.resolve();
    expect(await answer).toMatchObject({ command: 'deliver_sm_resp', status: 0 });
    expect(messages).toMatchObject([{ from: '+79161234567', to: 'Helio', text: 'Da' }]);
  });

  it('of a person in parts is one message, whatever their order', async () => {
    const { smsc, url } = await smscOf();
    const { driver, messages } = channelOf({ url });
    await driver.connect!(never);
    const text = `${LONG} Ёлки 😀`;
    smsc.receive('+79161234567', '7878', text);
    await until(() => expect(messages).toMatchObject([{ from: '+79161234567', to: '7878', text }]));
  });

  it('of a person in parts over several sessions is one message', async () => {
    const { smsc, url } = await smscOf();
    const session = () => channelOf({ url }, undefined, { name: 'shared' });
    const [one, other] = [session(), session()];
    await Promise.all([one, other].map(({ driver }) => driver.connect!(never)));
    const texts = Array.from({ length: 10 }, (_, i) => `${i}${LONG}`);
    for (const [i, text] of texts.entries()) smsc.receive(`+7916123456${i}`, '7878', text);
    await until(() => {
      const received = [...one.messages, ...other.messages].map(({ text }) => text);
      expect(received.toSorted()).toEqual(texts);
    });
  });

  it('by data_sm is taken too', async () => {
    const { session, messages, reports } = await bound();
    const { shortMessage, ...addresses } = delivery();
    const tlvs = [tlv('messagePayload', shortMessage!)];
    expect(await session.request('data_sm', { ...addresses, tlvs })).toMatchObject({ status: 0 });
    expect(messages).toMatchObject([{ text: 'Da' }]);
    const receipt = [tlv('receiptedMessageId', 'AF'), tlv('messageState', 2)];
    await session.request('data_sm', { ...addresses, esmClass: 4, tlvs: receipt });
    expect(reports).toMatchObject([{ externalId: 'AF', status: 'delivered' }]);
  });

  it('in the alphabet behind 0 of the channel is read so', async () => {
    const octets = Buffer.from([0x00, 0x40, 0xe9]);
    const gsm = await bound();
    await gsm.session.request('deliver_sm', delivery({ shortMessage: octets.subarray(0, 2) }));
    expect(gsm.messages[0]!.text).toBe('@¡');
    const latin = await bound({ alphabet: 'latin1' });
    await latin.session.request('deliver_sm', delivery({ shortMessage: octets.subarray(1) }));
    expect(latin.messages[0]!.text).toBe('@é');
    const other = await bound({ alphabet: 'latin1', dataCoding: 3 });
    await other.session.request('deliver_sm', delivery({ shortMessage: octets.subarray(0, 2) }));
    expect(other.messages[0]!.text).toBe('@¡');
  });

  it('and cannot be stored comes again', async () => {
    let isDown = true;
    const { session, reports } = await bound({}, async () => {
      if (isDown) throw new Error('down');
    });
    const receipt = delivery({ esmClass: 4, shortMessage: Buffer.from('id:7 stat:DELIVRD') });
    const refused = await session.request('deliver_sm', receipt);
    expect(refused).toMatchObject({ status: STATUS.ESME_RX_T_APPN });
    isDown = false;
    expect(await session.request('deliver_sm', receipt)).toMatchObject({ status: 0 });
    expect(reports).toMatchObject([{ externalId: '7', status: 'delivered' }]);
  });

  it('at once is stored together', async () => {
    const { session, groups } = await bound();
    const receipts = Array.from({ length: 60 }, (_, i) =>
      session.request(
        'deliver_sm',
        delivery({ esmClass: 4, shortMessage: Buffer.from(`id:${i} stat:DELIVRD`) }),
      ),
    );
    await Promise.all(receipts);
    expect(groups.reduce((a, b) => a + b)).toBe(60);
    expect(groups.length).toBeLessThan(60);
  });

  it('beyond the limit is refused for now', async () => {
    const gate = Promise.withResolvers<void>();
    const { session } = await bound({ deliverLimit: 3 }, () => gate.promise);
    const answers = Array.from({ length: 5 }, () => session.request('deliver_sm', delivery()));
    const refused = await Promise.all(answers.slice(3));
    expect(refused.map(({ status }) => status)).toEqual([
      STATUS.ESME_RX_T_APPN,
      STATUS.ESME_RX_T_APPN,
    ]);
    gate.resolve();
    const taken = await Promise.all(answers.slice(0, 3));
    expect(taken.map(({ status }) => status)).toEqual([0, 0, 0]);
  });

  it('as a receipt of nothing is acknowledged, and reports nothing', async () => {
    const { session, reports, messages } = await bound();
    const receipt = delivery({ esmClass: 4, shortMessage: Buffer.from('stat:DELIVRD') });
    expect(await session.request('deliver_sm', receipt)).toMatchObject({ status: 0 });
    expect([...reports, ...messages]).toEqual([]);
  });

  it.each(['query_sm', 'submit_sm', 'cancel_sm'] as const)('is no %s', async (command) => {
    const { session } = await bound();
    const answer = await session.request(command, {});
    expect(answer).toMatchObject({ status: STATUS.ESME_RINVBNDSTS });
  });
});
