import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Window } from './window.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);

it('lets so many at a time, in turn', async () => {
  const window = new Window(2);
  const order: number[] = [];
  for (let i = 0; i < 4; i++) void window.acquire().then(() => order.push(i));
  await settle();
  expect([order, window.used]).toEqual([[0, 1], 2]);
  window.release(true);
  window.release(true);
  await settle();
  expect(order).toEqual([0, 1, 2, 3]);
});

it('a refusal halves it and holds the link, each success makes it one larger', async () => {
  const window = new Window(8);
  for (let i = 0; i < 4; i++) await window.acquire();
  window.refuse(1_000);
  // The others of the same moment change nothing.
  window.refuse(1_000);
  expect([window.limit, window.used, window.heldMs]).toEqual([4, 2, 1_000]);
  const acquired = vi.fn<(isAcquired: boolean) => void>();
  void window.acquire().then(acquired);
  await vi.advanceTimersByTimeAsync(999);
  expect(acquired).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(acquired).toHaveBeenCalledWith(true);
  window.release(true);
  window.release(true);
  expect(window.limit).toBe(6);
  window.release(true);
  for (let i = 0; i < 9; i++) {
    await window.acquire();
    window.release(true);
  }
  expect(window.limit).toBe(8);
});

it('holds for longer each time, up to thirty seconds, until something succeeds', async () => {
  const window = new Window(1);
  const held: number[] = [];
  for (let i = 0; i < 7; i++) {
    const acquired = window.acquire();
    await vi.advanceTimersByTimeAsync(window.heldMs);
    await acquired;
    window.refuse(1_000);
    held.push(window.heldMs);
  }
  expect(held).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(window.limit).toBe(1);
  const acquired = window.acquire();
  await vi.advanceTimersByTimeAsync(30_000);
  await acquired;
  window.release(true);
  await window.acquire();
  window.refuse(1_000);
  expect(window.heldMs).toBe(1_000);
  window.close();
});

it('what goes again goes first', async () => {
  const window = new Window(1);
  await window.acquire();
  const order: string[] = [];
  void window.acquire().then(() => order.push('new'));
  void window.acquire(undefined, true).then(() => order.push('again'));
  window.release(false);
  await settle();
  window.release(false);
  await settle();
  expect(order).toEqual(['again', 'new']);
});

it('a signal and the end of the session end the wait', async () => {
  const window = new Window(1);
  await window.acquire();
  const controller = new AbortController();
  const aborted = window.acquire(controller.signal);
  const closed = window.acquire();
  controller.abort();
  expect(await aborted).toBe(false);
  window.close();
  expect(await closed).toBe(false);
  expect(await window.acquire()).toBe(false);
  expect(await new Window(1).acquire(controller.signal)).toBe(false);
  expect(window.used).toBe(1);
});
