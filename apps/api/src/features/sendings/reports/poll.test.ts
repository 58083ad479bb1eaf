import { expect, test } from 'vitest';
import { PollService } from './poll.service.ts';
import type { DueBatch } from './poll.store.ts';

const SUBMITTED = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number) => new Date(SUBMITTED + seconds * 1000);

/** Polls of one batch whose driver fails always: the seconds after the submit at which it was asked. */
async function failing(until: number, over: Partial<DueBatch> = {}): Promise<number[]> {
  const asked: number[] = [];
  let now = at(0);
  let due: Date | null = at(1);
  const query = () => {
    asked.push((now.getTime() - SUBMITTED) / 1000);
    return Promise.reject(new Error('401'));
  };
  const batch = { id: '1', channel: 'c', type: 1, submittedAt: at(0), polledAt: null, ...over };
  const service = new PollService(
    { transaction: (work: () => Promise<void>) => work() } as never,
    { now: () => now } as never,
    { warn: () => undefined } as never,
    {} as never,
    {
      lease: () => Promise.resolve(due && due <= now ? batch : undefined),
      messages: () => Promise.resolve([]),
      finish: (_: DueBatch, { nextAt }: { nextAt: Date | null }) => {
        due = nextAt;
        return Promise.resolve(true);
      },
    } as never,
    { ofRevision: () => Promise.resolve({ query }) } as never,
    {} as never,
    { apply: () => Promise.resolve([]) } as never,
    { matched: () => Promise.resolve([]) } as never,
    { receiveReplies: () => Promise.resolve() } as never,
    { isStopping: false } as never,
  );
  while (due && due < at(until)) {
    now = due;
    await service.poll();
  }
  return asked;
}

test('a driver that fails for ever is asked less and less often, every five minutes at least', async () => {
  const asked = await failing(6 * 3600);
  const delays = asked.slice(1).map((second, i) => Number((second - asked[i]!).toFixed(2)));
  expect(delays.slice(0, 3)).toEqual([10, 10, 10.5]);
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  expect(delays.at(-1)).toBe(300);
  expect(asked.length).toBeLessThan(100);
});

test('it is asked while messages wait for it, and no longer than a day for those that are closed', async () => {
  const days = 3 * 86_400;
  expect((await failing(days)).at(-1)).toBeGreaterThan(days - 301);
  const last = (await failing(days, { isClosed: true })).at(-1);
  expect(last).toBeGreaterThan(86_400);
  expect(last).toBeLessThan(86_701);
});
