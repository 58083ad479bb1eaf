import { expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { Shutdown } from '../shutdown.ts';
import { DueRows } from './due-rows.ts';

/** Runs the work on ten rows, which fails with an error. Says whether it gives up, and how many rows are postponed. */
async function work(error: Error): Promise<{ gaveUp: unknown; postponed: number }> {
  const rows = new DueRows(createLog('silent', 'test'), new Shutdown({} as never));
  const postpone = vi.fn<() => Promise<number>>(() => Promise.resolve(1));
  const done = rows.process({
    what: 'work of a test',
    limit: 10,
    take: () => Promise.reject(error),
    postpone,
  });
  const gaveUp = await done.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { gaveUp, postponed: postpone.mock.calls.length };
}
const failure = (code: string) => Object.assign(new Error('of a test'), { code });

test('a row whose work fails is postponed', async () => {
  expect(await work(failure('22P02'))).toEqual({ gaveUp: null, postponed: 10 });
});

test.each(['53100', '53200', '58030', '25006', '57P01', 'ECONNREFUSED'])(
  'no row is to blame for a database that cannot be used now (%s): none is postponed',
  async (code) => {
    const error = failure(code);
    expect(await work(error)).toEqual({ gaveUp: error, postponed: 0 });
  },
);
