import { useState } from 'react';
import type { List } from './use-list.ts';

/**
 * Counts how often rows of the same request changed by themselves: figures beside a list are asked for again when it does.
 * `content` is what of the rows they depend on. Rows that arrive for a request change nothing.
 */
export function useMoved(
  { requestKey, loading }: Pick<List<unknown>, 'requestKey' | 'loading'>,
  content: string,
): number {
  const [seen, setSeen] = useState({ requestKey: 'previous', content: '', count: 0 });
  const isArrived = !loading && requestKey !== 'previous';
  if (isArrived && (seen.requestKey !== requestKey || seen.content !== content))
    setSeen({
      requestKey,
      content,
      count: seen.requestKey === requestKey ? seen.count + 1 : seen.count,
    });
  return seen.count;
}
