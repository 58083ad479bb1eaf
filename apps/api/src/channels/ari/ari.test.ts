import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ARI, AriPeer } from '../../../test/peers/ari-peer.ts';
import { NO_FILES } from '../../../test/peers/message-files.ts';
import { NO_CHATS } from '../../../test/peers/chats.ts';
import { NO_DEVICES } from '../../../test/peers/push-devices.ts';
import { Outbound } from '../../core/http/outbound.ts';
import {
  type CarrierMessage,
  type CarrierReport,
  ChannelDown,
  type Driver,
  type OutgoingMessage,
  type Traced,
  UnknownOutcome,
} from '../channel.ts';
import { openDriver } from '../registry.ts';

const ENDPOINT = 'PJSIP/{number}@trunk';
const SPEECH = 'https://tts.example/say.wav?voice={voice}&text={text}';
/** As the peer writes it, with a zone without a colon. */
const AT = new Date('2026-11-28T07:00:00.250Z');

let peer: AriPeer;
let url: string;
const open: (() => unknown)[] = [];
beforeEach(async () => {
  peer = new AriPeer();
  url = await peer.listen();
  open.push(() => peer.close());
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Opened {
  driver: Driver;
  reports: CarrierReport[];
  messages: CarrierMessage[];
}

function channelOf(
  options: object = {},
  store: () => Promise<void> = () => Promise.resolve(),
  allowed = '127.0.0.0/8',
): Opened {
  const reports: CarrierReport[] = [];
  const messages: CarrierMessage[] = [];
  const given = { url, ...ARI, endpoint: ENDPOINT, speech: SPEECH, answerSeconds: 0, ...options };
  const driver = openDriver(
    { name: 'pbx', driver: 'ari', options: given, revision: 1 },
    {
      outbound: new Outbound(allowed, 'CHANNEL_ALLOWED_HOSTS'),
      senders: { send: () => Promise.reject(new Error('no senders')) },
      files: { ...NO_FILES, link: (id) => Promise.resolve(`https://helio.example/${id}?ticket=1`) },
      devices: NO_DEVICES,
      chats: () => NO_CHATS,
      inbox: () => ({
        async reports(some) {
          await store();
          reports.push(...some);
        },
        async messages(some) {
          await store();
          messages.push(...some);
        },
      }),
    },
  );
  open.push(() => driver.close!());
  return { driver, reports, messages };
}

let sent = 0;
const callTo = (more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  reference: `01930000-0000-7000-8000-${String(++sent).padStart(12, '0')}`,
  type: 'voice',
  sender: '74951230000',
  recipient: `+7916${String(1_000_000 + sent)}`,
  payload: { text: 'Чай готов, нажмите 1', tts: 'anna' },
  segments: 1,
  tries: 0,
  ...more,
});
const codeTo = (more: Partial<OutgoingMessage> = {}) =>
  callTo({ type: 'flashcall', sender: 'MIRTEA', payload: { text: '4829' }, ...more });
const flash = { flashCaller: '7495123XXXX' };
const never = new AbortController().signal;
const send = (
  driver: Driver,
  batch: OutgoingMessage[],
  more: { signal?: AbortSignal; trace?: (part: () => Traced) => void } = {},
) => driver.send(batch, { now: new Date(), signal: never, progress: () => {}, ...more });
const until = <T>(check: () => T | Promise<T>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 10 });
/** Places a call and gives the id that it has in Asterisk. */
async function place({ driver }: Opened, message = callTo()): Promise<string> {
  const { reference } = message;
  expect(await send(driver, [message])).toEqual([{ reference, result: 'accepted' }]);
  return peer.ids.find((id) => id.endsWith(reference))!;
}
const referenceIn = (id: string) => id.split('.').at(-1)!;

describe('a voice call', () => {
  it('is given to the application and not to an extension, with the script of it', async () => {
    const opened = channelOf({ ringSeconds: 20 });
    const message = callTo();
    const id = await place(opened, message);
    expect(id).toBe(`heliograph.voice.${message.reference}`);
    expect(peer.dialled).toEqual([
      {
        endpoint: `PJSIP/${message.recipient.slice(1)}@trunk`,
        app: 'heliograph',
        callerId: '74951230000',
        timeout: 20,
        variables: { HELIOGRAPH_SCRIPT: expect.stringContaining(message.recipient) },
      },
    ]);
  });

  it.each([
    ['the application gets it when it is answered', () => {}],
    ['the application gets it while it is dialled', (id: string) => peer.enter(id)],
  ])('is played when it is answered: %s', async (_, before) => {
    const opened = channelOf();
    const id = await place(opened);
    before(id);
    peer.ring(id);
    peer.answer(id);
    // Played before, the peer would have refused it.
    await until(() =>
      expect(peer.played).toEqual([
        `sound:https://tts.example/say.wav?voice=anna&text=${encodeURIComponent('Чай готов, нажмите 1')}`,
      ]),
    );
    peer.finish(id);
    await until(() => expect(opened.reports).toHaveLength(2));
    const report = { reference: referenceIn(id), status: 'delivered', at: AT };
    // Before it is hung up, and when it has ended.
    expect(opened.reports).toEqual([report, { ...report, seconds: 0 }]);
    expect(peer.hungUp).toEqual([id]);
  });

  it.each([
    [0, 0],
    [1, 1],
    [1000, 1],
    [1001, 2],
    [59_999, 60],
    [60_001, 61],
  ])('that was answered for %i ms has %i seconds by the clock of Asterisk', async (ms, seconds) => {
    const opened = channelOf({ answerSeconds: 60 });
    const id = await place(opened);
    peer.ring(id);
    peer.elapsedMs = 20_000;
    peer.answer(id);
    await until(() => expect(peer.played).toHaveLength(1));
    peer.elapsedMs += ms;
    peer.hangUp(id, 16);
    await until(() => expect(opened.reports).toMatchObject([{ status: 'delivered', seconds }]));
  });

  it('whose sound could not be played has no length', async () => {
    const opened = channelOf();
    const id = await place(opened);
    peer.answer(id);
    await until(() => expect(peer.played).toHaveLength(1));
    peer.elapsedMs = 5_000;
    peer.finish(id, 'failed');
    await until(() => expect(peer.ids).toEqual([]));
    const next = await place(opened);
    peer.hangUp(next, 17);
    await until(() => expect(opened.reports).toHaveLength(2));
    for (const report of opened.reports) expect(report).not.toHaveProperty('seconds');
  });

  it('plays a file of the account', async () => {
    const opened = channelOf();
    const id = await place(opened, callTo({ payload: { audio: 'file-1' } }));
    peer.answer(id);
    await until(() => expect(peer.played).toEqual(['sound:https://helio.example/file-1?ticket=1']));
  });

  it.each([
    [1, 'number_not_found'],
    [2, 'no_route'],
    [3, 'no_route'],
    [16, 'no_answer'],
    [17, 'busy'],
    [18, 'absent_subscriber'],
    [19, 'no_answer'],
    [20, 'absent_subscriber'],
    [21, 'blocked'],
    [22, 'number_not_found'],
    [27, 'absent_subscriber'],
    [28, 'invalid_recipient'],
    [34, 'temporary'],
    [38, 'temporary'],
    [42, 'temporary'],
    [50, 'not_authorized'],
    [58, 'unsupported'],
    [88, 'unsupported'],
    [102, 'provider_timeout'],
    [127, 'undeliverable'],
    [99, 'unknown'],
  ])('that ends unanswered with the cause %i is %s', async (cause, code) => {
    const opened = channelOf();
    const id = await place(opened);
    peer.ring(id);
    peer.hangUp(id, cause, 'In words');
    await until(() => expect(opened.reports).toHaveLength(1));
    expect(opened.reports).toEqual([
      {
        reference: referenceIn(id),
        status: 'failed',
        code,
        carrierCode: cause,
        text: 'In words',
        at: AT,
      },
    ]);
  });

  it('of which somebody hung up before the end was heard', async () => {
    const opened = channelOf();
    const id = await place(opened);
    peer.answer(id);
    await until(() => expect(peer.played).toHaveLength(1));
    peer.hangUp(id, 16);
    await until(() => expect(opened.reports).toMatchObject([{ status: 'delivered' }]));
  });

  it('whose sound cannot be played has failed', async () => {
    const opened = channelOf();
    const id = await place(opened);
    peer.answer(id);
    await until(() => expect(peer.played).toHaveLength(1));
    peer.finish(id, 'failed');
    await until(() => expect(peer.hungUp).toEqual([id]));
    expect(opened.reports).toMatchObject([{ status: 'failed', code: 'invalid_payload' }]);
  });

  it('that Asterisk refuses to play has failed', async () => {
    const opened = channelOf();
    const id = await place(opened);
    peer.faults.push({ on: `POST channels/${id}/play`, status: 412, message: 'Invalid state' });
    peer.answer(id);
    await until(() => expect(peer.hungUp).toEqual([id]));
    expect(opened.reports).toMatchObject([
      { status: 'failed', code: 'undeliverable', text: 'not played: answered 412' },
    ]);
  });

  it('gives the keys that were pressed, up to # or to the end, as replies', async () => {
    const opened = channelOf({ answerSeconds: 60 });
    const message = callTo();
    const id = await place(opened, message);
    peer.answer(id);
    await until(() => expect(peer.played).toHaveLength(1));
    peer.press(id, '12#');
    await until(() => expect(opened.messages).toHaveLength(1));
    peer.finish(id);
    peer.press(id, '7*');
    peer.hangUp(id, 16);
    await until(() => expect(opened.messages).toHaveLength(2));
    const { recipient: from, sender: to } = message;
    expect(opened.messages).toEqual([
      { id: `${id}.1`, type: 'voice', from, to, text: '12', at: AT },
      { id: `${id}.2`, type: 'voice', from, to, text: '7*', at: AT },
    ]);
    await until(() => expect(opened.reports).toHaveLength(2));
    expect(opened.reports).toMatchObject([
      { status: 'delivered' },
      { status: 'delivered', seconds: 0 },
    ]);
  });

  it('is hung up after the time for an answer', async () => {
    const opened = channelOf({ answerSeconds: 1 });
    const id = await place(opened);
    peer.answer(id);
    await until(() => expect(peer.played).toHaveLength(1));
    peer.finish(id);
    await until(() => expect(peer.hungUp).toEqual([id]));
  });

  it('is hung up again if the first time failed', async () => {
    const opened = channelOf();
    const id = await place(opened);
    peer.answer(id);
    await until(() => expect(peer.played).toHaveLength(1));
    peer.faults.push({ on: 'DELETE', status: 500 });
    peer.finish(id);
    await until(() => expect(peer.faults).toEqual([]));
    await until(async () => {
      await opened.driver.connect!(never);
      expect(peer.hungUp).toEqual([id]);
    });
  });
});

describe('a flash call', () => {
  it('has the code at the end of its number, and is hung up as soon as it rings and that is stored', async () => {
    const asked = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const opened = channelOf(flash, () => {
      asked.resolve();
      return stored.promise;
    });
    const id = await place(opened, codeTo());
    expect(peer.dialled).toMatchObject([{ callerId: '74951234829' }]);
    peer.ring(id);
    await asked.promise;
    await opened.driver.connect!(never);
    expect(peer.hungUp).toEqual([]);
    stored.resolve();
    await until(() => expect(peer.hungUp).toEqual([id]));
    expect(opened.reports).toEqual([{ reference: referenceIn(id), status: 'delivered', at: AT }]);
  });

  it.each([
    ['busy', (id: string) => peer.hangUp(id, 17), 'busy'],
    ['without a route', (id: string) => peer.hangUp(id, 3), 'no_route'],
    ['never ringing', (id: string) => peer.hangUp(id, 16), 'no_answer'],
    ['answered by a machine without ringing', (id: string) => peer.answer(id), 'absent_subscriber'],
  ])('%s has failed', async (_, happen, code) => {
    const opened = channelOf(flash);
    const id = await place(opened, codeTo());
    happen(id);
    await until(() => expect(opened.reports).toMatchObject([{ status: 'failed', code }]));
    await until(() => expect(peer.ids).toEqual([]));
  });

  it('that is answered in the moment of ringing counts once', async () => {
    const opened = channelOf(flash);
    const id = await place(opened, codeTo());
    peer.ring(id);
    peer.answer(id);
    await until(() => expect(peer.ids).toEqual([]));
    expect(opened.reports).toMatchObject([{ status: 'delivered' }]);
  });
});

describe('is not dialled', () => {
  it.each([
    ['to an address', callTo({ recipient: 'a@tea.example' }), 'invalid_recipient'],
    ['from a name', callTo({ sender: 'MIRTEA' }), 'rejected_sender'],
    ['with nothing to play', callTo({ payload: {} }), 'invalid_payload'],
    ['with an endless text', callTo({ payload: { text: 'я'.repeat(2_000) } }), 'too_long'],
    ['with a code of another length', codeTo({ payload: { text: '48291' } }), 'invalid_payload'],
    ['with a code that is none', codeTo({ payload: { text: '48a9' } }), 'invalid_payload'],
    ['as another type', callTo({ type: 'sms' }), 'unsupported'],
  ])('a message %s', async (_, message, code) => {
    const { driver } = channelOf(flash);
    expect(await send(driver, [message])).toMatchObject([{ result: 'rejected', code }]);
    expect(peer.dialled).toEqual([]);
  });

  it('a text or a code for which the channel has no speech or number', async () => {
    const { driver } = channelOf({ speech: undefined });
    expect(await send(driver, [callTo(), codeTo()])).toMatchObject([
      { result: 'rejected', code: 'unsupported' },
      { result: 'rejected', code: 'unsupported' },
    ]);
  });

  it('what finds all lines in use', async () => {
    const opened = channelOf({ lines: 2 });
    const batch = [callTo(), callTo(), callTo()];
    expect((await send(opened.driver, batch)).map(({ result }) => result)).toEqual([
      'accepted',
      'accepted',
      'unsent',
    ]);
    peer.hangUp(peer.ids[0]!, 17);
    await until(() => expect(opened.reports).toHaveLength(1));
    expect(await send(opened.driver, [batch[2]!])).toMatchObject([{ result: 'accepted' }]);
  });
});

describe('what Asterisk answers to a call', () => {
  const on = 'POST channels/heliograph';
  it.each([
    ['a wrong password', { on, status: 401 }, ChannelDown],
    ['forbidden', { on, status: 403 }, ChannelDown],
    ['wrong parameters', { on, status: 400 }, ChannelDown],
    ['too much', { on, status: 503 }, ChannelDown],
    ['a trunk that is away', { on, status: 500, message: 'Allocation failed' }, ChannelDown],
    ['an error', { on, status: 500, message: 'Boom' }, UnknownOutcome],
    ['nothing', { on, breaks: true }, UnknownOutcome],
  ])('%s', async (_, fault, error) => {
    const { driver } = channelOf();
    await driver.connect!(never);
    peer.faults.push(fault);
    await expect(send(driver, [callTo()])).rejects.toThrow(error);
    // Lines are not used up by it.
    expect(await send(driver, [callTo()])).toMatchObject([{ result: 'accepted' }]);
  });

  it('of a call whose answer was lost the outcome becomes known', async () => {
    const { driver, reports } = channelOf(flash);
    await driver.connect!(never);
    peer.faults.push({ on, breaks: true });
    const message = codeTo();
    await expect(send(driver, [message])).rejects.toThrow(UnknownOutcome);
    peer.ring(peer.ids[0]!);
    const { reference } = message;
    await until(() => expect(reports).toMatchObject([{ reference, status: 'delivered' }]));
    await until(() => expect(peer.hungUp).toHaveLength(1));
  });

  it('that there is such a call already: it is the same', async () => {
    const first = channelOf(flash);
    const message = codeTo();
    await place(first, message);
    await first.driver.close!();
    const second = channelOf(flash);
    await place(second, message);
    expect(peer.dialled).toHaveLength(1);
    peer.faults.push({ on, status: 409 });
    expect(await send(second.driver, [codeTo()])).toMatchObject([{ result: 'accepted' }]);
  });

  it('a refusal in the middle leaves the others undialled', async () => {
    const { driver } = channelOf();
    const [first, second, third] = [callTo(), callTo(), callTo()] as const;
    peer.faults.push({ on: `POST channels/heliograph.voice.${second.reference}`, status: 503 });
    expect(await send(driver, [first, second, third])).toEqual([
      { reference: first.reference, result: 'accepted' },
      { reference: second.reference, result: 'unsent' },
      { reference: third.reference, result: 'unsent' },
    ]);
  });
});

describe('the connection for events', () => {
  it.each([
    ['a wrong password', { password: 'another' }, 'answered 401'],
    ['another address', { url: 'http://127.0.0.1:9/ari' }, 'not sent'],
  ])('cannot be opened with %s', async (_, options, reason) => {
    const { driver } = channelOf(options);
    await expect(driver.connect!(never)).rejects.toThrow(ChannelDown);
    await expect(send(driver, [callTo()])).rejects.toThrow(reason);
  });

  it('goes to allowed addresses only', async () => {
    const { driver } = channelOf({}, undefined, '10.0.0.0/8');
    await expect(driver.connect!(never)).rejects.toThrow('CHANNEL_ALLOWED_HOSTS');
    expect(peer.requests).toEqual([]);
  });

  it('was lost: what has happened since is seen in the list of calls', async () => {
    const opened = channelOf({ ...flash, answerSeconds: 60 });
    const code = await place(opened, codeTo());
    const [answered, heard, busy] = [await place(opened), await place(opened), await place(opened)];
    peer.answer(heard);
    await until(() => expect(peer.played).toHaveLength(1));
    peer.dropListeners();
    peer.ring(code);
    peer.answer(answered);
    peer.finish(heard);
    peer.hangUp(busy, 17);
    await until(async () => {
      await opened.driver.connect!(never);
      expect(peer.isHeard).toBe(true);
    });
    await until(() => expect(peer.hungUp).toEqual([code]));
    await until(() => expect(peer.played).toHaveLength(2));
    await until(() => expect(opened.reports).toHaveLength(2));
    // Nobody knows how the fourth has ended: it expires.
    expect(new Set(opened.reports.map(({ reference }) => reference))).toEqual(
      new Set([referenceIn(code), referenceIn(heard)]),
    );
    peer.finish(answered);
    await until(() => expect(opened.reports).toHaveLength(3));
    for (const { status } of opened.reports) expect(status).toBe('delivered');
  });

  it('of another worker goes on with the calls that it finds', async () => {
    const first = channelOf({ answerSeconds: 60 });
    const message = callTo();
    const id = await place(first, message);
    await first.driver.close!();
    const second = channelOf({ answerSeconds: 60 });
    await second.driver.connect!(never);
    peer.answer(id);
    await until(() => expect(peer.played).toHaveLength(1));
    peer.press(id, '1');
    peer.hangUp(id, 16);
    await until(() => expect(second.reports).toHaveLength(1));
    const { reference, recipient: from, sender: to } = message;
    expect(second.reports).toMatchObject([{ reference, status: 'delivered' }]);
    expect(second.messages).toMatchObject([{ from, to, text: '1' }]);
    expect(first.reports).toEqual([]);
  });

  it('of another worker knows when a call was answered', async () => {
    const first = channelOf({ answerSeconds: 60 });
    const id = await place(first);
    peer.answer(id);
    const noted = `POST channels/${id}/variable`;
    await until(() => expect(peer.requests.map(({ call }) => call)).toContain(noted));
    await first.driver.close!();
    const second = channelOf({ answerSeconds: 60 });
    await second.driver.connect!(never);
    // It begins anew.
    await until(() => expect(peer.played).toHaveLength(2));
    peer.elapsedMs = 6_500;
    peer.hangUp(id, 16);
    await until(() => expect(second.reports).toMatchObject([{ status: 'delivered', seconds: 7 }]));
  });

  it('of another worker does not know it of a call that was answered in between', async () => {
    const first = channelOf({ answerSeconds: 60 });
    const id = await place(first);
    await first.driver.close!();
    peer.answer(id);
    const second = channelOf({ answerSeconds: 60 });
    await second.driver.connect!(never);
    await until(() => expect(peer.played).toHaveLength(1));
    peer.elapsedMs = 6_500;
    peer.hangUp(id, 16);
    await until(() => expect(second.reports).toMatchObject([{ status: 'delivered' }]));
    expect(second.reports[0]).not.toHaveProperty('seconds');
  });

  it('leaves calls of others alone', async () => {
    const opened = channelOf();
    const other = channelOf({ app: 'helio-2' });
    await opened.driver.connect!(never);
    const id = await place(other);
    peer.emit('heliograph', {
      type: 'ChannelDestroyed',
      cause: 17,
      channel: { id, state: 'Down' },
    });
    peer.emit('heliograph', { type: 'Something', channel: { id: 7 } });
    peer.emit('heliograph', { type: 'ChannelDestroyed' });
    const own = await place(opened);
    peer.hangUp(own, 19);
    await until(() => expect(opened.reports).toMatchObject([{ code: 'no_answer' }]));
    expect(other.reports).toEqual([]);
  });

  it('is left to another application of the same name, for a while', async () => {
    const first = channelOf();
    await first.driver.connect!(never);
    const second = channelOf();
    await second.driver.connect!(never);
    await until(() => expect(first.driver.connect!(never)).rejects.toThrow('another application'));
    await expect(send(first.driver, [callTo()])).rejects.toMatchObject({
      name: 'ChannelDown',
      isAsked: true,
    });
    await place(second);
  });

  describe('is asked for an event after a while without one, and', () => {
    const SILENT_MS = 31_000;
    let now: number;
    beforeEach(() => {
      now = Date.now();
      vi.useFakeTimers({ toFake: ['Date'], now });
      open.push(() => vi.useRealTimers());
    });
    const later = () => vi.setSystemTime((now += SILENT_MS));
    const asked = (call: string) => peer.requests.filter((one) => one.call === call).length;
    const listed = () => asked('GET channels');
    const echoes = () => asked('POST events/user/heliograph');

    it('is opened again if nothing comes', async () => {
      const opened = channelOf();
      const id = await place(opened);
      peer.isMuted = true;
      peer.answer(id);
      later();
      await opened.driver.connect!(never);
      expect(echoes()).toBe(1);
      const before = listed();
      await opened.driver.connect!(never);
      expect(listed()).toBe(before);
      later();
      await opened.driver.connect!(never);
      expect(listed()).toBeGreaterThan(before);
      await until(() => expect(peer.played).toHaveLength(1));
    });

    it('stays if one comes', async () => {
      const opened = channelOf();
      const [first, second] = [await place(opened), await place(opened)];
      const before = listed();
      for (const [n, id] of [first, second].entries()) {
        later();
        await opened.driver.connect!(never);
        expect(echoes()).toBe(n + 1);
        // It comes after the event that was asked for.
        peer.hangUp(id, 17);
        await until(() => expect(opened.reports).toHaveLength(n + 1));
      }
      expect(listed()).toBe(before);
    });

    it('is opened again if Asterisk does not know the application', async () => {
      const { driver } = channelOf();
      await driver.connect!(never);
      peer.faults.push({ on: 'POST events', status: 404 });
      later();
      await expect(driver.connect!(never)).rejects.toThrow('answered 404');
      await driver.connect!(never);
      await send(driver, [callTo()]);
      expect(peer.dialled).toHaveLength(1);
    });
  });
});

it('what cannot be stored is stored later, before anything more is sent', async () => {
  let isAway = true;
  const opened = channelOf(flash, () =>
    isAway ? Promise.reject(new Error('The database is away')) : Promise.resolve(),
  );
  const id = await place(opened, codeTo());
  peer.ring(id);
  await until(() => expect(peer.hungUp).toEqual([id]));
  await expect(opened.driver.connect!(never)).rejects.toThrow('reports cannot be stored');
  isAway = false;
  await opened.driver.connect!(never);
  expect(opened.reports).toMatchObject([{ status: 'delivered' }]);
});

it('the log has neither numbers nor codes nor texts nor the password', async () => {
  const parts: Traced[] = [];
  const trace = (part: () => Traced) => void parts.push(part());
  const { driver } = channelOf(flash);
  const [voice, code] = [callTo(), codeTo()];
  await send(driver, [voice, code], { trace });
  const text = parts.map(({ request }) => request).join('\n');
  expect(text).toContain('POST http://127.0.0.1');
  expect(text).toContain('"callerId":"7495123XXXX"');
  for (const one of [
    voice.recipient.slice(1),
    code.recipient.slice(1),
    '4829',
    encodeURIComponent('Чай'),
  ])
    expect(text).not.toContain(one);
  expect(text).not.toContain(ARI.password);
});

it('a closed channel places nothing more, and listens to nothing', async () => {
  const { driver } = channelOf();
  await driver.connect!(never);
  await driver.close!();
  await until(() => expect(peer.isHeard).toBe(false));
  await expect(send(driver, [callTo()])).rejects.toMatchObject({
    name: 'ChannelDown',
    retryAfter: 0,
  });
  await expect(driver.connect!(never)).rejects.toThrow('the channel is closed');
  expect(peer.dialled).toEqual([]);
  expect(peer.isHeard).toBe(false);
});
