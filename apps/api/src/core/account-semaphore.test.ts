import { expect, test, vi } from 'vitest';
import { AccountSemaphore, type SemaphoreLimits } from './account-semaphore.ts';

/** Work that ends on request. */
function works(limits: Partial<SemaphoreLimits>) {
  const all = { running: 2, runningOfAccount: 2, held: 6, heldOfAccount: 6, ...limits };
  const semaphore = new AccountSemaphore(all, (isOwn) => new Error(isOwn ? 'own' : 'all'));
  const begun: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const ask = (account: string, name: string, signal?: AbortSignal) =>
    semaphore.run(
      account,
      () => {
        begun.push(name);
        return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }));
      },
      signal,
    );
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  const end = (name: string) => {
    ends.get(name)!.resolve();
    return settled();
  };
  return { begun, ask, settled, end, of: (name: string) => ends.get(name)! };
}

test('two run at a time, the others in their order, and a failure frees its place', async () => {
  const { begun, ask, settled, end, of } = works({});
  const all = ['a', 'b', 'c', 'd'].map((name) => ask(name, name));
  await settled();
  expect(begun).toEqual(['a', 'b']);
  of('b').reject(new Error('broken'));
  await expect(all[1]).rejects.toThrow('broken');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c', 'd']) await end(name);
  await Promise.all([all[0], all[2], all[3]]);
  void ask('e', 'e');
  void ask('f', 'f');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('more calls of an account, or in total, are refused until others have ended', async () => {
  const { ask, settled, end } = works({ heldOfAccount: 2 });
  void ask('a', 'a1');
  void ask('a', 'a2');
  await expect(ask('a', 'a3')).rejects.toThrow('own');
  for (const account of ['b', 'c', 'd', 'e']) void ask(account, account);
  await expect(ask('f', 'f')).rejects.toThrow('all');
  await settled();
  await end('a1');
  void ask('f', 'f');
  await settled();
  await expect(ask('g', 'g')).rejects.toThrow('all');
});

test('a free place goes to the account with the fewest running calls, in turn', async () => {
  const { begun, ask, settled, end } = works({ running: 2, held: 20, heldOfAccount: 20 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask('a', name);
  void ask('b', 'b1');
  void ask('c', 'c1');
  void ask('b', 'b2');
  await settled();
  expect(begun).toEqual(['a1', 'a2']);
  for (const name of ['a1', 'a2', 'b1', 'a3', 'c1', 'b2']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4', 'a5']);
});

test('an account uses at most its share, however many places are free', async () => {
  const { begun, ask, settled, end } = works({ running: 5, runningOfAccount: 2 });
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  void ask('b', 'b1');
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(begun).toHaveLength(3);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('calls that time out or are aborted while waiting free their place', async () => {
  const { begun, ask, settled, end } = works({ running: 1, waitMs: 20 });
  void ask('a', 'a1');
  await settled();
  const gone = new AbortController();
  const unwanted = ask('b', 'b1', gone.signal);
  gone.abort(new Error('gone'));
  await expect(unwanted).rejects.toThrow('gone');
  await expect(ask('b', 'b2', gone.signal)).rejects.toThrow('gone');
  await expect(ask('c', 'c1')).rejects.toThrow('all');
  const last = ask('d', 'd1');
  await end('a1');
  expect(begun).toEqual(['a1', 'd1']);
  await end('d1');
  await last;
});

test('who waits too long for itself hears so; who waits for others does not', async () => {
  const { ask } = works({ runningOfAccount: 1, waitMs: 5 });
  void ask('a', 'a1');
  await expect(ask('a', 'a2')).rejects.toThrow('own');
  void ask('b', 'b1');
  await expect(ask('c', 'c1')).rejects.toThrow('all');
});

test('in a queue that moves a task waits on; in one that does not it is refused', async () => {
  vi.useFakeTimers();
  try {
    const one = { runningOfAccount: 1, waitMs: 100, waitsInQueue: true } as const;
    const { begun, ask, of } = works(one);
    void ask('a', 'a1');
    void ask('a', 'a2');
    const last = ask('a', 'a3').catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(80);
    of('a1').resolve();
    // Longer than the time to wait in all, but not since the second began.
    await vi.advanceTimersByTimeAsync(95);
    expect(begun).toEqual(['a1', 'a2']);
    await vi.advanceTimersByTimeAsync(10);
    expect(await last).toBe('own');
    expect(begun).toEqual(['a1', 'a2']);
  } finally {
    vi.useRealTimers();
  }
});
