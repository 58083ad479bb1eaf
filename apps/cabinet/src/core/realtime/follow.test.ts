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
async function page() {
  const client = new QueryClient();
  const fetchTasks = vi.fn<() => Promise<object>>(async () => ({}));
  const options = { queryKey: keysOf('tasks').all, queryFn: fetchTasks };
  const leave = new QueryObserver(client, options).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  return { client, fetchTasks, leave, ...follow(client) };
}

it('the first connection does not refetch what the page has just fetched', async () => {
  const { client, fetchTasks, resync, leave } = await page();
  resync(5000);
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchTasks).toHaveBeenCalledTimes(1);
  // It may have changed before the connection, so it is refetched when it is shown again.
  expect(client.getQueryState(keysOf('tasks').all)!.isInvalidated).toBe(true);
  leave();
});

it('the first connection does not restart a fetch that is under way', async () => {
  const { client, fetchTasks, resync, leave } = await page();
  fetchTasks.mockImplementation(() => new Promise(() => undefined));
  void client.refetchQueries({ queryKey: keysOf('tasks').all });
  resync(5000);
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchTasks).toHaveBeenCalledTimes(2);
  leave();
});

it('a late first connection and every later one refetch what is shown', async () => {
  const { fetchTasks, resync, leave } = await page();
  await vi.advanceTimersByTimeAsync(6000);
  resync(5000);
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchTasks).toHaveBeenCalledTimes(2);
  resync();
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchTasks).toHaveBeenCalledTimes(3);
  leave();
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
  resync(5000);
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchSettings).toHaveBeenCalledTimes(1);
  resync();
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchSettings).toHaveBeenCalledTimes(2);
  unobserve();
  leave();
});
