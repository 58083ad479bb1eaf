import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useMoved } from './use-moved.ts';

it('counts changes of the rows of a request, not their arrival', () => {
  const { result, rerender } = renderHook(
    ({ requestKey, loading, content }) => useMoved({ requestKey, loading }, content),
    { initialProps: { requestKey: 'a', loading: true, content: '' } },
  );
  const counts = [result.current];
  for (const [requestKey, loading, content] of [
    ['a', false, '1'],
    ['a', false, '1,2'],
    // Another filter: first the rows of the one before.
    ['previous', false, '1,2'],
    ['b', false, '3'],
    ['b', false, '3'],
    ['b', false, ''],
  ] as const) {
    rerender({ requestKey, loading, content });
    counts.push(result.current);
  }
  expect(counts).toEqual([0, 0, 1, 1, 1, 1, 2]);
});
