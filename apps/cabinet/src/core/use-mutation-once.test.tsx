import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useMutationOnce } from './use-mutation-once.ts';

function drawn<V>() {
  const calls: V[] = [];
  const answer = Promise.withResolvers<string>();
  const mutationFn = (variables: V) => {
    calls.push(variables);
    return answer.promise;
  };
  const client = new QueryClient();
  const { result } = renderHook(() => useMutationOnce({ mutationFn }), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  return { calls, answer, result };
}

test('two calls at a time with the same variables are one, however they are made', async () => {
  const { calls, answer, result } = drawn<number>();
  const both = [result.current.mutateAsync(1), result.current.mutateAsync(1)];
  result.current.mutate(1);
  result.current.mutate(2);
  await act(async () => {
    answer.resolve('done');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
  });
  expect(calls).toEqual([1, 2]);
  await act(() => result.current.mutateAsync(1));
  expect(calls).toEqual([1, 2, 1]);
});

test('a call between the answer and its drawing makes none, one after it does', async () => {
  const { calls, answer, result } = drawn<number>();
  const first = result.current.mutateAsync(1);
  result.current.mutate(2);
  // Nothing is drawn before the end.
  await act(async () => {
    answer.resolve('done');
    await first;
    result.current.mutate(1);
    expect(await result.current.mutateAsync(1)).toBe('done');
    expect(calls).toEqual([1, 2]);
  });
  for (const variables of [1, 2, 1]) await act(() => result.current.mutateAsync(variables));
  expect(calls).toEqual([1, 2, 1, 2, 1]);
});

test('a call that failed is made again once the failure is drawn', async () => {
  const { calls, answer, result } = drawn<number>();
  const first = result.current.mutateAsync(1);
  await act(async () => {
    answer.reject(new Error('offline'));
    await expect(first).rejects.toThrow('offline');
    result.current.mutate(1);
  });
  expect(calls).toEqual([1]);
  await act(() => expect(result.current.mutateAsync(1)).rejects.toThrow('offline'));
  expect(calls).toEqual([1, 1]);
});

test('two files are two calls, one file is one', async () => {
  const { calls, answer, result } = drawn<File>();
  const [one, other] = [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')];
  for (const file of [one, one, other]) result.current.mutate(file);
  await act(() => Promise.resolve(answer.resolve('done')));
  expect(calls).toEqual([one, other]);
});
