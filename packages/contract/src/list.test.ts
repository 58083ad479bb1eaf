import { expect, it } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { contract } from './index.ts';
import { isListQuery } from './list.ts';

it('every list takes the scope with and without its dollar sign, as single rows do', () => {
  const lists = Object.values(contract).flatMap((endpoints) =>
    Object.values(endpoints as Record<string, Endpoint>).filter(
      ({ query }) => query && isListQuery(query),
    ),
  );
  expect(lists.length).toBeGreaterThan(30);
  for (const { path, query } of lists)
    for (const name of ['scope', '$scope']) {
      const { scope } = query!.parse({ [name]: 'full' }) as { scope: string[] };
      expect([path, scope]).toEqual([path, ['full']]);
    }
});
