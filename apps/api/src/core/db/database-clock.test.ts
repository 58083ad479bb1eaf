import { afterEach, expect, test, vi } from 'vitest';
import { until } from '../../../test/until.ts';
import { Clock } from '../clock.ts';
import { createLog } from '../log.ts';
import { setTime } from '../time.ts';
import { DatabaseClock } from './database-clock.ts';

const HOUR = 3_600_000;
const closing: DatabaseClock[] = [];
/** Its time does not depend on the clock of this machine, which tests put. */
const began = { time: Date.now(), at: performance.now() };

afterEach(() => {
  for (const clock of closing.splice(0)) clock.stop();
  vi.restoreAllMocks();
  setTime(null);
});

/** A database whose clock is ahead by so many milliseconds, or that does not answer. */
async function follow(aheadMs: number | Error, log = createLog('silent', 'test')) {
  const database = { aheadMs };
  const query = vi.fn<() => Promise<{ time: number }[]>>(() =>
    database.aheadMs instanceof Error
      ? Promise.reject(database.aheadMs)
      : Promise.resolve([{ time: began.time + performance.now() - began.at + database.aheadMs }]),
  );
  closing.push(await DatabaseClock.start({ query } as never, log));
  return { database, query };
}
/** Puts the clock of this machine. */
function put(byMs: number): void {
  const right = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => right() + byMs);
}
/** Milliseconds by which the clock of the process is ahead of what the time was at the start. */
const ahead = () => new Clock().now().getTime() - (began.time + performance.now() - began.at);
/** Far more than a machine that stands still would take from a comparison of two moments. */
const MINUTE = 60_000;

test.each([2 * HOUR, -HOUR])(
  'a clock of the machine that is put by %i ms changes nothing',
  async (by) => {
    const { query } = await follow(0);
    put(by);
    expect(Math.abs(ahead())).toBeLessThan(MINUTE);
    // It is found out at once, and the database is asked again.
    await until(async () => query.mock.calls.length > 1, 'another question');
    expect(Math.abs(ahead())).toBeLessThan(MINUTE);
  },
);

test('the clock of the database counts, from the start', async () => {
  await follow(2 * HOUR);
  expect(Math.abs(ahead() - 2 * HOUR)).toBeLessThan(MINUTE);
});

test('while the database does not answer, time goes on; one that never did leaves the clock of the machine', async () => {
  const { database, query } = await follow(HOUR);
  database.aheadMs = new Error('away');
  put(2 * HOUR);
  await until(async () => query.mock.calls.length > 1, 'another question');
  expect(Math.abs(ahead() - HOUR)).toBeLessThan(MINUTE);
  setTime(null);
  await follow(new Error('away'));
  expect(Math.abs(ahead() - 2 * HOUR)).toBeLessThan(MINUTE);
});

test('a clock that differs is told once, and once when it is right again', async () => {
  const log = createLog('silent', 'test');
  const lines = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'info')];
  const told = () => lines.map((line) => line.mock.calls.length);
  const { query } = await follow(HOUR, log);
  const right = Date.now.bind(Date);
  const machine = vi.spyOn(Date, 'now').mockImplementation(() => right() - HOUR);
  await until(async () => query.mock.calls.length > 1, 'another question');
  expect(told()).toEqual([1, 0]);
  machine.mockImplementation(() => right() + HOUR);
  await until(async () => told()[1] === 1, 'the line that it is right');
  expect(told()).toEqual([1, 1]);
});
