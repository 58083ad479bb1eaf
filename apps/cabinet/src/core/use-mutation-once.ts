import {
  useMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

interface Options<R, V> extends Omit<UseMutationOptions<R, Error, V>, 'mutationFn'> {
  mutationFn: (variables: V) => Promise<R>;
}

/**
 * A mutation that does not run twice at a time with the same variables. Disabling the button is too late: the second click
 * of a double click arrives before it is drawn.
 */
export function useMutationOnce<R, V>(options: Options<R, V>): UseMutationResult<R, Error, V> {
  const running = useRef(new Set<string>());
  const { mutationFn } = options;
  const mutation = useMutation<R, Error, V>({
    ...options,
    mutationFn: (variables) =>
      mutationFn(variables).finally(() => running.current.delete(keyOf(variables))),
  });
  const { mutate } = mutation;
  const once = useCallback<typeof mutate>(
    (...given) => {
      const key = keyOf(given[0]);
      if (running.current.has(key)) return;
      running.current.add(key);
      mutate(...given);
    },
    [mutate],
  );
  return { ...mutation, mutate: once } as UseMutationResult<R, Error, V>;
}

const keyOf = (variables: unknown): string => JSON.stringify(variables) ?? '';
