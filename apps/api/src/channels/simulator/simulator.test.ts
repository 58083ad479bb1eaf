import { describe, expect, it } from 'vitest';

import { NO_FILES } from '../../../test/peers/message-files.ts';
import { NO_CHATS } from '../../../test/peers/chats.ts';
import { NO_DEVICES } from '../../../test/peers/push-devices.ts';
import { Outbound } from '../../core/http/outbound.ts';
import { ChannelDown, type Driver, type OutgoingMessage } from '../channel.ts';
import { parseOptions } from '../options.ts';
import { simulatorDriver } from './simulator.driver.ts';

const now = new Date('2026-01-01T12:00:00Z');
const signal = new AbortController().signal;
const progress = () => undefined;

function open(options: Record<string, unknown> = {}): Driver {
  const parsed = parseOptions('test', simulatorDriver.options, options);
  return simulatorDriver.open(parsed, {
    channel: 'test',
    outbound: new Outbound('', 'NONE'),
    senders: { send: () => Promise.reject(new Error('no senders')) },
    files: NO_FILES,
    devices: NO_DEVICES,
    chats: NO_CHATS,
    inbox: { reports: () => Promise.resolve(), messages: () => Promise.resolve() },
  });
}

function message(recipient: string, tries = 0): OutgoingMessage {
  const payload = { text: 'hello' };
  const of = `ref-${recipient.slice(-2)}`;
  return { reference: of, type: 'sms', sender: 'Helio', recipient, payload, segments: 1, tries };
}

function after(ms: number): Date {
  return new Date(now.getTime() + ms);
}

describe('send', () => {
  it('answers each message by itself', async () => {
    const numbers = ['00', '06', '14', '15'].map((suffix) => `+799900000${suffix}`);
    const batch = numbers.map((number) => message(number));
    const results = await open().send(batch, { now, signal, progress });
    // 15: accepted, but without an answer: an unknown outcome.
    expect(results).toEqual([
      { reference: 'ref-00', result: 'accepted' },
      { reference: 'ref-06', result: 'rejected', code: 'rejected_sender' },
      { reference: 'ref-14', result: 'throttled', retryAfter: 1_000 },
    ]);
  });

  it('answers a message whose answer was lost when it comes again', async () => {
    const results = await open().send([message('+79990000015', 1)], {
      now,
      signal,
      progress,
    });
    expect(results).toEqual([{ reference: 'ref-15', result: 'accepted' }]);
  });

  it.each([[{ profile: 'dead' }], [{ down: true }]])('is down with %j', async (options) => {
    const sent = open(options).send([message('+79990000000')], { now, signal, progress });
    await expect(sent).rejects.toThrow(ChannelDown);
  });

  it('takes nothing once it is stopped', async () => {
    const sent = open({ latencyMs: 5 }).send([message('+79990000000')], {
      now,
      signal: AbortSignal.abort(),
      progress,
    });
    await expect(sent).rejects.toThrow(ChannelDown);
  });
});

describe('query', () => {
  const submitted = ['00', '09'].map((suffix) => ({
    reference: `ref-${suffix}`,
    type: 'sms' as const,
    recipient: `+799900000${suffix}`,
    submittedAt: now,
    state: 'submitted' as const,
  }));

  it.each([
    [null, 100, [], 0, 500],
    [null, 500, ['sent', 'sent'], 0, 2_000],
    [500, 1_000, [], 0, 2_000],
    [499, 2_000, ['sent', 'delivered', 'sent', 'delivered'], 0, 3_000],
    [2_000, 3_000, [], 1, null],
    [3_000, 9_000, [], 0, null],
  ])('from %s to %i ms', async (since, to, statuses, replies, next) => {
    const found = await open().query!(submitted, {
      since: since === null ? null : after(since),
      now: after(to),
      signal,
    });
    expect(found.reports.map(({ status }) => status)).toEqual(statuses);
    expect(found.replies).toHaveLength(replies);
    expect(found.nextAt).toEqual(next === null ? null : after(next));
  });

  it('tells everything once, however the time is cut', async () => {
    const driver = open({ profile: 'flaky', seed: 'x' });
    const messages = Array.from({ length: 300 }, (_, i) => ({
      reference: `ref-${i}`,
      type: 'viber' as const,
      recipient: '+79001234567',
      submittedAt: after(i),
      state: 'submitted' as const,
    }));
    const all = await driver.query!(messages, { since: null, now: after(1e8), signal });
    let since: Date | null = null;
    let reports = 0;
    for (let at: Date | null = now; at;) {
      const part = await driver.query!(messages, { since, now: at, signal });
      reports += part.reports.length;
      since = at;
      // Leaps, so that the test does not step through every single report.
      at = part.nextAt && new Date(part.nextAt.getTime() + 1_000);
    }
    expect(reports).toBe(all.reports.length);
    expect(all.nextAt).toBeNull();
  });
});
