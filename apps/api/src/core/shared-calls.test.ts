import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { SharedCalls } from './shared-calls.ts';

/** Calls that end on request. */
function calls(keyOf?: (item: string) => string) {
  const groups: string[][] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const shared = new SharedCalls<string, string>(
    (items) => {
      groups.push(items);
      return new Promise((resolve, reject) =>
        ends.push((failure) =>
          failure
            ? reject(failure)
            : resolve(items.map((item) => (item === 'bad' ? new Error(item) : `${item}!`))),
        ),
      );
    },
    { items: 3, calls: 1, keyOf },
  );
  const end = (failure?: Error) => {
    ends.shift()!(failure);
    return new Promise((resolve) => setTimeout(resolve));
  };
  return { groups, shared, end };
}

test('items that arrive during a call share the next one, and each has its own result', async () => {
  const { groups, shared, end } = calls();
  const results = Promise.allSettled(['a', 'b', 'bad', 'c', 'd'].map((item) => shared.add(item)));
  await end();
  await end();
  await end();
  expect(groups).toEqual([['a'], ['b', 'bad', 'c'], ['d']]);
  expect((await results).map((one) => (one as { value?: string }).value)).toEqual([
    'a!',
    'b!',
    undefined,
    'c!',
    'd!',
  ]);
});

test('a call has one item of a key, and the others keep their order', async () => {
  const { groups, shared, end } = calls((item) => item[0]!);
  const results = shared.addAll(['x', 'a1', 'a2', 'a3', 'b1', 'b2']);
  for (let i = 0; i < 3; i++) await end();
  expect(groups).toEqual([['x', 'a1', 'b1'], ['a2', 'b2'], ['a3']]);
  expect(await results).toEqual(['x!', 'a1!', 'a2!', 'a3!', 'b1!', 'b2!']);
});

test('a call that fails is made for each half, and the next one follows', async () => {
  const { groups, shared, end } = calls();
  const results = Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((item) => shared.add(item)));
  await end();
  await end(new Error('one of three'));
  await end(new Error('the first'));
  await end();
  await end();
  expect(groups).toEqual([['a'], ['b', 'c', 'd'], ['b'], ['c', 'd'], ['e']]);
  expect((await results).map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
});

test.each([
  { code: '57P01', message: 'terminating connection due to administrator command' },
  { code: 'ECONNREFUSED', message: '' },
  { message: 'Connection terminated unexpectedly' },
  { message: 'timeout exceeded when trying to connect' },
])(
  'a call that loses its connection ($message) may have had its effect: it is not repeated',
  async (lost) => {
    const { groups, shared, end } = calls();
    const results = Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((item) => shared.add(item)));
    const failure = Object.assign(new Error(), lost);
    await end();
    await end(failure);
    await end();
    expect(groups).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
    expect((await results).map((one) => (one as { reason?: Error }).reason)).toEqual([
      undefined,
      failure,
      failure,
      failure,
      undefined,
    ]);
  },
);

test.each(['57014', '55P03', '53100'])(
  'a call that runs into a timeout, or a database without room (%s), is not repeated for each of its items',
  async (code) => {
    const { groups, shared, end } = calls();
    const results = Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((item) => shared.add(item)));
    const failure = Object.assign(new Error('canceling statement due to timeout'), { code });
    await end();
    await end(failure);
    await end();
    expect(groups).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
    expect((await results).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
  },
);

test('a call runs in the context of none of its requests', async () => {
  const request = new AsyncLocalStorage<string>();
  const shared = new SharedCalls<string, string>(
    (items) => Promise.resolve(items.map((item) => `${item} ${request.getStore()}`)),
    { items: 3, calls: 1 },
  );
  expect(await request.run('one', () => shared.add('a'))).toBe('a undefined');
});
