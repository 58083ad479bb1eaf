import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import type { Db } from '../src/core/db/db.ts';

/** How many statements some work makes, without those that others make meanwhile. */
export async function statementsOf(db: Db, work: () => Promise<unknown>): Promise<number> {
  const own = new AsyncLocalStorage<true>();
  let count = 0;
  const spies = (['query', 'execute'] as const).map((name) => {
    const method = db[name].bind(db) as (...args: unknown[]) => Promise<never>;
    return vi.spyOn(db, name).mockImplementation((...args: unknown[]) => {
      if (own.getStore()) count++;
      return method(...args);
    });
  });
  try {
    await own.run(true, work);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return count;
}
