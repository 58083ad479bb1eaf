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
 * A mutation that does not run twice at a time with the same variables: a second call is the one that runs. Disabling the button is too
 * late, as the second click of a double click arrives before it is drawn.
 */
export function useMutationOnce<R, V>(options: Options<R, V>): UseMutationResult<R, Error, V> {
  const running = useRef(new Map<string, Promise<R>>());
  const mutation = useMutation<R, Error, V>(options);
  const { mutateAsync: start } = mutation;
  const mutateAsync = useCallback<typeof start>(
    (...given) => {
      const key = keyOf(given[0]);
      const now = running.current.get(key);
      if (now) return now;
      const started = start(...given).finally(() => running.current.delete(key));
      running.current.set(key, started);
      return started;
    },
    [start],
  );
  const mutate = useCallback<typeof mutation.mutate>(
    (...given) => {
      // The error is in the state of the mutation.
      mutateAsync(...given).catch(() => undefined);
    },
    [mutateAsync],
  );
  return { ...mutation, mutate, mutateAsync } as UseMutationResult<R, Error, V>;
}

/** Files are told apart by identity: as JSON they are all the same. */
const files = new WeakMap<Blob, number>();
let lastFile = 0;
function numberOf(file: Blob): number {
  const number = files.get(file) ?? ++lastFile;
  files.set(file, number);
  return number;
}

const keyOf = (variables: unknown): string =>
  JSON.stringify(variables, (_, value: unknown) =>
    value instanceof Blob ? { file: numberOf(value) } : value,
  ) ?? '';
