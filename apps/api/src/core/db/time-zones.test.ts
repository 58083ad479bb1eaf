import { expect, test, vi } from 'vitest';
import { TimeZonesStore } from './time-zones.store.ts';

const NAMES = [{ name: 'UTC' }, { name: 'Europe/Moscow' }];

test('the database is asked for its zones once, and again after it has failed', async () => {
  const query = vi.fn<() => Promise<{ name: string }[]>>(() => Promise.resolve(NAMES));
  query.mockRejectedValueOnce(new Error('no connection'));
  const zones = new TimeZonesStore({ query } as never);
  await expect(zones.nameOf('UTC')).rejects.toThrow('no connection');
  expect(await Promise.all([zones.nameOf('europe/MOSCOW'), zones.nameOf('Mars/Base')])).toEqual([
    'Europe/Moscow',
    null,
  ]);
  expect(await zones.nameOf('UTC')).toBe('UTC');
  expect(query).toHaveBeenCalledTimes(2);
});
