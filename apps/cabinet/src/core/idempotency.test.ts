import { ApiError, NoAnswer, type ErrorBody } from '@heliograph/contract';
import { expect, it, vi } from 'vitest';
import { createIntents, randomKey } from './idempotency.ts';

const refusal = (status: number, code: string) =>
  new ApiError(status, { code, message: code } as ErrorBody, new Headers());

/** Answers one call after the other; returns the keys with which they came. */
function setUp(answers: (Error | string)[]) {
  let n = 0;
  const wait = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const once = createIntents(() => `key-${++n}`, wait);
  const keys: string[] = [];
  const press = (intent: string) =>
    once(intent, (key) => {
      keys.push(key);
      const answer = answers.shift()!;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    }).catch((error: Error) => error.message);
  return { press, keys, wait };
}

it.each([new NoAnswer(), refusal(503, 'unavailable'), refusal(500, 'internal')])(
  'keeps the key while the answer is not known: %s',
  async (lost) => {
    const { press, keys } = setUp([lost, lost, 'done', 'done']);
    for (let i = 0; i < 4; i++) await press('pay 500');
    expect(keys).toEqual(['key-1', 'key-1', 'key-1', 'key-2']);
  },
);

it.each([refusal(402, 'insufficient_funds'), refusal(409, 'conflict'), refusal(422, 'validation')])(
  'a refusal is an answer: the next press is a new intent: %s',
  async (refused) => {
    const { press, keys } = setUp([refused, 'done']);
    await press('pay 500');
    expect(await press('pay 500')).toBe('done');
    expect(keys).toEqual(['key-1', 'key-2']);
  },
);

it('other calls between do not take the key of one without an answer', async () => {
  const { press, keys } = setUp([new NoAnswer(), 'other', 'done']);
  for (const intent of ['pay 500', 'pay 600', 'pay 500']) await press(intent);
  expect(keys).toEqual(['key-1', 'key-2', 'key-1']);
});

it('two presses at once are one call, and both have its answer', async () => {
  const { press, keys } = setUp(['done']);
  expect(await Promise.all([press('pay 500'), press('pay 500')])).toEqual(['done', 'done']);
  expect(keys).toEqual(['key-1']);
});

it('waits for a first call that still runs', async () => {
  const running = refusal(409, 'idempotency_running');
  const { press, keys, wait } = setUp([new NoAnswer(), running, running, 'done']);
  await press('pay 500');
  expect(await press('pay 500')).toBe('done');
  expect(keys).toEqual(['key-1', 'key-1', 'key-1', 'key-1']);
  expect(wait).toHaveBeenCalledTimes(2);
});

it('makes keys that do not repeat', () => {
  expect(randomKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(randomKey()).not.toBe(randomKey());
});
