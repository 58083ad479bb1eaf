import { ApiError } from '@heliograph/contract';
import { QueryObserver, type MutationMeta } from '@tanstack/react-query';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { keysOf } from './query-keys.ts';

afterAll(() => vi.resetModules());

let createQueryClient: typeof import('./query.ts').createQueryClient;

beforeAll(async () => {
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('localStorage', { getItem: () => null });
  ({ createQueryClient } = await import('./query.ts'));
}, 60_000);

async function mutated(meta: MutationMeta, run: () => Promise<unknown>) {
  const client = createQueryClient();
  client.setQueryData<object>(keysOf('tasks').get('1'), {});
  client.setQueryData<object>(keysOf('billings').of('balance', '1'), {});
  client.setQueryData<object>(keysOf('templates').get('1'), {});
  const order: string[] = [];
  const invalidate = client.invalidateQueries.bind(client);
  vi.spyOn(client, 'invalidateQueries').mockImplementation(async (filters) => {
    await invalidate(filters);
    order.push('refetched');
  });
  const options = { mutationFn: run, onSuccess: () => void order.push('onSuccess'), meta };
  const mutation = client.getMutationCache().build(client, options);
  await mutation.execute(undefined).catch(() => undefined);
  const queries = client.getQueryCache().getAll();
  return {
    order,
    stale: queries.filter(({ state }) => state.isInvalidated).map(({ queryKey }) => queryKey[0]),
  };
}

it('refetches the nouns that a mutation changes before its own onSuccess', async () => {
  const { stale, order } = await mutated({ invalidates: ['tasks', 'billings'] }, async () => 1);
  expect(stale).toEqual(['tasks', 'billings']);
  expect(order).toEqual(['refetched', 'refetched', 'onSuccess']);
});

it('does not wait for the refetch where the mutation says so', async () => {
  const meta: MutationMeta = { invalidates: ['tasks'], waitsForRefetch: false };
  const { stale, order } = await mutated(meta, async () => 1);
  expect(stale).toEqual(['tasks']);
  expect(order[0]).toBe('onSuccess');
});

it('refetches after a refusal in the middle of several calls', async () => {
  const meta: MutationMeta = { invalidates: ['tasks'], isInSteps: true, showsErrors: true };
  const { stale } = await mutated(meta, () => Promise.reject(new Error('refused')));
  expect(stale).toEqual(['tasks']);
});

it('leaves the cache alone after a refused mutation', async () => {
  const meta: MutationMeta = { invalidates: ['tasks'], showsErrors: true };
  const { stale, order } = await mutated(meta, () => Promise.reject(new Error('refused')));
  expect([stale, order]).toEqual([[], []]);
});

it.each(['query', 'mutation'] as const)(
  'a refused %s has the rights asked for again, once, and another error has not',
  async (kind) => {
    const client = createQueryClient();
    const asked = vi.fn<() => Promise<string>>(() => Promise.resolve('settings'));
    const observer = new QueryObserver(client, { queryKey: ['settings'], queryFn: asked });
    const stop = observer.subscribe(() => undefined);
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    const refused = async (status: number, code: string) => {
      const run = () =>
        Promise.reject(new ApiError(status, { code, message: code } as never, new Headers()));
      const call =
        kind === 'query'
          ? client.fetchQuery({ queryKey: ['tasks', code], queryFn: run, retry: false })
          : client
              .getMutationCache()
              .build(client, { mutationFn: run, meta: { showsErrors: true } })
              .execute(undefined);
      await expect(call).rejects.toThrow(code);
    };
    await refused(409, 'conflict');
    expect(asked).toHaveBeenCalledTimes(1);
    await refused(403, 'forbidden');
    await expect.poll(() => asked.mock.calls.length).toBe(2);
    stop();
  },
);
