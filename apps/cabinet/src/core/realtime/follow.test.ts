import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keysOf } from '../query-keys.ts';
import { follow } from './follow.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page that shows tasks, and how often they were fetched. */
async function page(answer: () => Promise<object> = async () => ({})) {
  const client = new QueryClient();
  const fetchTasks = vi.fn<() => Promise<object>>(answer);
  const options = { queryKey: keysOf('tasks').all, queryFn: fetchTasks };
  const leave = new QueryObserver(client, options).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  return { client, fetchTasks, leave, ...follow(client) };
}

it('every connection refetches what is shown: rows may have changed since the page fetched them', async () => {
  const { fetchTasks, resync, leave } = await page();
  resync(true);
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchTasks).toHaveBeenCalledTimes(2);
  resync();
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchTasks).toHaveBeenCalledTimes(3);
  leave();
});

it.each([
  ['a connection', ({ resync }: Awaited<ReturnType<typeof page>>) => resync(true)],
  [
    'an event',
    ({ receive }: Awaited<ReturnType<typeof page>>) =>
      void receive('tasks.updated', { ids: ['1'] } as never),
  ],
])('a first answer that is older than %s is followed by a second one', async (_, happen) => {
  const answers: ((rows: object) => void)[] = [];
  const shown = await page(() => new Promise((answer) => answers.push(answer)));
  happen(shown);
  await vi.advanceTimersByTimeAsync(300);
  expect(answers).toHaveLength(1);
  answers[0]!({});
  await vi.advanceTimersByTimeAsync(10);
  expect(answers).toHaveLength(2);
  answers[1]!({});
  await vi.advanceTimersByTimeAsync(3000);
  expect(answers).toHaveLength(2);
  shown.leave();
});

it('refetches the settings too, in which permissions may have changed, but not with a page that has just loaded', async () => {
  const { client, resync, leave } = await page();
  const fetchSettings = vi.fn<() => Promise<object>>(async () => ({}));
  const queryKey = keysOf('settings').all;
  const unobserve = new QueryObserver(client, {
    queryKey,
    queryFn: fetchSettings,
    staleTime: 300_000,
  }).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  resync(true);
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchSettings).toHaveBeenCalledTimes(1);
  resync();
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchSettings).toHaveBeenCalledTimes(2);
  unobserve();
  leave();
});
