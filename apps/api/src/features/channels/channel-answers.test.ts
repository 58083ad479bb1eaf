import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RefusedAnswer } from '../../channels/channel.ts';
import type { Clock } from '../../core/clock.ts';
import type { Config } from '../../core/config.ts';
import { createLog } from '../../core/log.ts';
import { Shutdown } from '../../core/shutdown.ts';
import type { ChannelAnswersStore, DueAnswer } from './channel-answers.store.ts';
import { ChannelAnswers } from './channel-answers.service.ts';
import type { ChannelConnections } from './channel-connections.service.ts';

const now = new Date('2026-03-04T05:06:07Z');
const BLOCKED: RefusedAnswer & { text: string } = {
  code: 'blocked',
  carrierCode: 'chat.denied',
  text: 'error.dialog.suspended of +79001234567',
};

let lines: { channel: string; level: number; msg: string }[];
let due: DueAnswer[];
let removed: string[];
let refused: RefusedAnswer | undefined;
let answers: ChannelAnswers;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  [lines, due, removed, refused] = [[], [], [], BLOCKED];
  const store: Partial<ChannelAnswersStore> = {
    giveUp: () => Promise.resolve(),
    due: () => Promise.resolve(due),
    remove: ({ chat }) => Promise.resolve(void removed.push(chat)),
  };
  const connections = { of: () => Promise.resolve({ say: () => Promise.resolve(refused) }) };
  answers = new ChannelAnswers(
    store as ChannelAnswersStore,
    connections as unknown as ChannelConnections,
    { now: () => now } as Clock,
    new Shutdown({} as Config),
    createLog('info', 'test', { write: (line) => void lines.push(JSON.parse(line) as never) }),
  );
});
afterEach(() => {
  vi.useRealTimers();
});

async function say(channel: string, ...chats: string[]) {
  due = chats.map((chat) => ({ channel, chat, answer: '{"text":"Share"}', since: now }));
  await answers.say();
}

test('answers that a carrier refuses are told of once a minute for each channel, without its words', async () => {
  await say('max', '5001', '5002', '5003');
  await say('other', '5001');
  expect(lines).toMatchObject([
    { channel: 'max', code: 'blocked', carrierCode: 'chat.denied', unlogged: 0 },
    { channel: 'other', code: 'blocked', unlogged: 0 },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/suspended|7900|5001|Share/);
  vi.advanceTimersByTime(59_999);
  await say('max', '5004');
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(1);
  await say('max', '5005');
  expect(lines[2]).toMatchObject({ channel: 'max', unlogged: 3 });
  // None of them is said again.
  expect(removed).toEqual(['5001', '5002', '5003', '5001', '5004', '5005']);
});

test('answers that are said are not told of', async () => {
  refused = undefined;
  await say('max', '5001');
  expect([lines, removed]).toEqual([[], ['5001']]);
});
