import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { NoAnswer } from '@heliograph/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ListRequest } from '../list-request.ts';
import { keysOf } from '../query-keys.ts';
import { createQueryClient } from '../query.ts';
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

it('after a gap what is shown is fetched again', async () => {
  const { fetchTasks, resync, leave } = await page();
  resync();
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchTasks).toHaveBeenCalledTimes(2);
  leave();
});

it.each([
  ['a gap', ({ resync }: Awaited<ReturnType<typeof page>>) => resync()],
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

/** A list of tasks on the screen: what it shows, and a server that answers with `rows`, or not at all. */
async function list(rows: object[]) {
  const server = { rows, isAway: false };
  const ask: ListRequest = {
    offset: 0,
    limit: 20,
    order: [{ field: 'createdAt', direction: 'desc' }],
    scope: [],
    filter: {},
  };
  const client = createQueryClient();
  const queryKey = keysOf('tasks').find(ask);
  const queryFn = async () => {
    if (server.isAway) throw new NoAnswer();
    return { data: server.rows, total: server.rows.length, limit: 20, offset: 0 };
  };
  const leave = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  const shown = () => client.getQueryData<{ data: object[] }>(queryKey)?.data;
  return { server, shown, leave, ...follow(client) };
}
const task = (id: string, state: string, minute = 0) => ({
  id,
  state,
  createdAt: '2026-11-21T09:00:00Z',
  updatedAt: `2026-11-21T10:0${minute}:00Z`,
});

it('an event after an outage leaves a list to be fetched: the others may have been missed', async () => {
  const { server, shown, receive, resync, leave } = await list([task('1', 'running')]);
  server.isAway = true;
  resync();
  await vi.advanceTimersByTimeAsync(4000);
  server.isAway = false;
  server.rows = [task('2', 'running', 1), task('1', 'completed', 1)];
  receive('tasks.updated', { items: [task('1', 'completed', 1)] } as never);
  await vi.advanceTimersByTimeAsync(10);
  expect(shown()).toEqual([task('1', 'completed', 1)]);
  await vi.advanceTimersByTimeAsync(2500);
  expect(shown()).toEqual(server.rows);
  leave();
});

it('of two states of one time the server says which is the later one', async () => {
  const counted = (completed: number) => ({ ...task('1', 'stopped'), completed });
  const { server, shown, receive, leave } = await list([counted(0)]);
  server.rows = [counted(9)];
  receive('tasks.updated', { items: [counted(9)] } as never);
  receive('tasks.updated', { items: [counted(3)] } as never);
  await vi.advanceTimersByTimeAsync(2500);
  expect(shown()).toEqual([counted(9)]);
  leave();
});

it('refetches the settings too, in which permissions may have changed', async () => {
  const { client, resync, leave } = await page();
  const fetchSettings = vi.fn<() => Promise<object>>(async () => ({}));
  const queryKey = keysOf('settings').all;
  const unobserve = new QueryObserver(client, {
    queryKey,
    queryFn: fetchSettings,
    staleTime: 300_000,
  }).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  resync();
  await vi.advanceTimersByTimeAsync(10);
  expect(fetchSettings).toHaveBeenCalledTimes(2);
  unobserve();
  leave();
});
