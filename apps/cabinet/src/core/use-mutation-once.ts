import {
  useMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

interface Options<R, V> extends Omit<UseMutationOptions<R, Error, V>, 'mutationFn'> {
  mutationFn: (variables: V) => Promise<R>;
}

interface Call<R> {
  answer: Promise<R>;
  /** Which of the answers it was; absent without one. */
  number?: number;
}

/**
 * A mutation that does not run twice at a time with the same variables: a second call is the one that runs. Disabling the button is too
 * late, as the second click of a double click arrives before it is drawn. Nor does a call run again before what its answer changes is
 * drawn: a click until then is meant for what was to be seen before.
 */
export function useMutationOnce<R, V>(options: Options<R, V>): UseMutationResult<R, Error, V> {
  const calls = useRef(new Map<string, Call<R>>());
  const answers = useRef(0);
  const [drawn, draw] = useState(0);
  useLayoutEffect(() => {
    for (const [key, { number }] of calls.current)
      if (number !== undefined && number <= drawn) calls.current.delete(key);
  }, [drawn]);
  const mutation = useMutation<R, Error, V>(options);
  const { mutateAsync: start } = mutation;
  const mutateAsync = useCallback<typeof start>(
    (...given) => {
      const key = keyOf(given[0]);
      const known = calls.current.get(key);
      if (known) return known.answer;
      const call: Call<R> = {
        answer: start(...given).finally(() => draw((call.number = ++answers.current))),
      };
      calls.current.set(key, call);
      return call.answer;
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
