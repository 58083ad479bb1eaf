import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { ListRequest } from '../list-request.ts';
import { keysOf } from '../query-keys.ts';
import { applyEvent, parseEvent, refetchInvalidated } from './apply-event.ts';

const request: ListRequest = {
  offset: 0,
  limit: 2,
  order: [{ field: 'createdAt', direction: 'desc' }],
  scope: [],
  filter: {},
};
const row = (id: string, title: string, updatedAt = '2026-11-21T10:00:00Z') => ({
  id,
  title,
  createdAt: '2026-11-21T09:00:00Z',
  updatedAt,
});

function cached() {
  const client = new QueryClient();
  client.setQueryData(keysOf('tasks').find(request), {
    data: [row('2', 'b'), row('1', 'a')],
    total: 2,
    limit: 2,
    offset: 0,
  });
  client.setQueryData(keysOf('tasks').get('1'), row('1', 'a'));
  client.setQueryData(keysOf('sendings').find(request), {
    data: [],
    total: 0,
    limit: 2,
    offset: 0,
  });
  return client;
}
const titles = (client: QueryClient) =>
  client
    .getQueryData<{ data: { title: string }[] }>(keysOf('tasks').find(request))
    ?.data.map((r) => r.title);

it('reads the names of events', () => {
  expect(parseEvent('contactLists.updated')).toEqual({
    resource: 'contactLists',
    change: 'updated',
  });
  expect(parseEvent('notifications.sent')).toEqual({
    resource: 'notifications',
    change: 'created',
  });
  expect(parseEvent('notifications.read')?.change).toBe('updated');
  expect(parseEvent('resync')).toBeNull();
});

it('brings rows into lists and entities of their resource only', () => {
  const client = cached();
  const event = { resource: 'tasks', change: 'updated' } as const;
  const body = { items: [row('1', 'A', '2026-11-21T11:00:00Z')] } as never;
  expect(applyEvent(client, event, body, Date.now())).toBe(false);
  expect(titles(client)).toEqual(['b', 'A']);
  expect(client.getQueryData<{ title: string }>(keysOf('tasks').get('1'))?.title).toBe('A');
  expect(client.getQueryData(keysOf('sendings').find(request))).toMatchObject({ total: 0 });
});

it('merges an event into the row that a detail page shows', () => {
  const client = new QueryClient();
  const queryKey = keysOf('users').get('7');
  client.setQueryData<object>(queryKey, { id: '7', username: 'old', tariffs: ['Base'] });
  const body = { items: [{ id: '7', username: 'new' }] } as never;
  applyEvent(client, { resource: 'users', change: 'updated' }, body, Date.now());
  expect(client.getQueryData(queryKey)).toEqual({ id: '7', username: 'new', tariffs: ['Base'] });
});

it('fetches an open payment again, whose refunds are not in the event, and no other one', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const keys = keysOf('payments');
  const payment = { ...row('7', '500'), status: 'refundRequested' };
  const asked: string[] = [];
  const open = (id: string, refunds: string[]) =>
    new QueryObserver(client, {
      queryKey: keys.get(id),
      queryFn: () => {
        asked.push(id);
        return { ...payment, id, status: 'refunded', refunds };
      },
      initialData: { ...payment, id, refunds: ['requested'] },
    }).subscribe(() => undefined);
  open('7', ['done']);
  open('8', ['done']);
  const next = { ...row('7', '500', '2026-11-21T11:00:00Z'), status: 'refunded' };
  const event = { resource: 'payments', change: 'updated' } as const;
  expect(applyEvent(client, event, { items: [next] } as never, Date.now())).toBe(false);
  // Shown at once, with what it had.
  const shown = () => client.getQueryData(keys.get('7'));
  expect(shown()).toMatchObject({ status: 'refunded', refunds: ['requested'] });
  refetchInvalidated(client, 'payments');
  await expect.poll(shown).toMatchObject({ refunds: ['done'] });
  expect(asked).toEqual(['7']);
});

it('an event with all fields of an answer leaves nothing to fetch', () => {
  const client = cached();
  const event = { resource: 'tasks', change: 'updated' } as const;
  const body = { items: [row('1', 'A', '2026-11-21T11:00:00Z')] } as never;
  applyEvent(client, event, body, Date.now());
  expect(client.getQueryState(keysOf('tasks').get('1'))?.isInvalidated).toBe(false);
});

it('asks again after a count, and after a removal takes the rows out at once', () => {
  const client = cached();
  expect(
    applyEvent(
      client,
      { resource: 'sendings', change: 'updated' },
      { groupId: null, count: 500 },
      0,
    ),
  ).toBe(true);
  expect(applyEvent(client, { resource: 'tasks', change: 'removed' }, { ids: ['2'] }, 0)).toBe(
    true,
  );
  expect(titles(client)).toEqual(['a']);
});
