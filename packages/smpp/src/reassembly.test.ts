import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Reassembly } from './reassembly.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

let texts: string[];
let fails: boolean;
function open(options: { maxOctets?: number } = {}) {
  texts = [];
  fails = false;
  return new Reassembly({
    ...options,
    deliver: async ({ text }) => {
      if (fails) throw new Error('The database is away');
      texts.push(text);
    },
  });
}

const part = (index: number, text: string, total = 3, reference = 1, from = '+7999') => ({
  from,
  to: '4440',
  content: {
    octets: Buffer.from(text),
    alphabet: 'ascii' as const,
    concatenation: { reference, total, index },
  },
});

/** What became of an acknowledgement. */
function watch(promise: Promise<void>) {
  const state = { is: 'waiting' };
  promise.then(
    () => (state.is = 'acknowledged'),
    () => (state.is = 'refused'),
  );
  return state;
}

it('parts are acknowledged when their message is delivered', async () => {
  const reassembly = open();
  const first = watch(reassembly.add(part(3, 'c')));
  const second = watch(reassembly.add(part(1, 'a')));
  await vi.advanceTimersByTimeAsync(1_000);
  expect([first.is, second.is]).toEqual(['waiting', 'waiting']);
  await reassembly.add(part(2, 'b'));
  expect(texts).toEqual(['abc']);
  await vi.advanceTimersByTimeAsync(0);
  expect([first.is, second.is]).toEqual(['acknowledged', 'acknowledged']);
  expect(vi.getTimerCount()).toBe(0);
});

it('a carrier that sends one part at a time waits for two seconds', async () => {
  const reassembly = open();
  const first = watch(reassembly.add(part(1, 'a', 2)));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(first.is).toBe('acknowledged');
  await reassembly.add(part(2, 'b', 2));
  expect(texts).toEqual(['ab']);
});

it('a part that comes twice counts once', async () => {
  const reassembly = open();
  void reassembly.add(part(1, 'a', 2));
  void reassembly.add(part(1, 'a', 2));
  await reassembly.add(part(2, 'b', 2));
  expect(texts).toEqual(['ab']);
});

it('parts of other people and references are of other messages', async () => {
  const reassembly = open();
  void reassembly.add(part(1, 'a', 2));
  void reassembly.add(part(1, 'x', 2, 1, '+7998'));
  void reassembly.add(part(1, 'y', 2, 2));
  await reassembly.add(part(2, 'b', 2));
  expect(texts).toEqual(['ab']);
  expect(reassembly.size).toBe(2);
  await reassembly.flush();
  expect(texts).toEqual(['ab', 'x…', 'y…']);
});

it('a reference that is used again begins the next message', async () => {
  const reassembly = open();
  void reassembly.add(part(1, 'old', 2));
  void reassembly.add(part(1, 'new', 2));
  await reassembly.add(part(2, '!', 2));
  expect(texts).toEqual(['old…', 'new!']);
});

it('a message whose parts do not come is delivered with gaps', async () => {
  const reassembly = open();
  void reassembly.add(part(2, 'b', 4));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(texts).toEqual(['…b……']);
  expect(reassembly.size).toBe(0);
});

it('memory is bounded: the oldest are delivered first', async () => {
  const reassembly = open({ maxOctets: 1_000 });
  for (let i = 0; i < 50; i++) {
    void reassembly.add(part(1, String(i), 2, i));
    await Promise.resolve();
  }
  expect(reassembly.size).toBeLessThanOrEqual(4);
  await vi.advanceTimersByTimeAsync(0);
  expect(texts.slice(0, 3)).toEqual(['0…', '1…', '2…']);
});

it('when nothing can be stored, parts are refused and come again', async () => {
  const reassembly = open();
  fails = true;
  const first = watch(reassembly.add(part(1, 'a', 2)));
  const second = watch(reassembly.add(part(2, 'b', 2)));
  await vi.advanceTimersByTimeAsync(0);
  expect([first.is, second.is]).toEqual(['refused', 'refused']);
  fails = false;
  void reassembly.add(part(1, 'a', 2));
  await reassembly.add(part(2, 'b', 2));
  expect(texts).toEqual(['ab']);
});

it('what was acknowledged is kept when the rest is refused', async () => {
  const reassembly = open();
  const first = watch(reassembly.add(part(1, 'a', 2)));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(first.is).toBe('acknowledged');
  fails = true;
  const second = watch(reassembly.add(part(2, 'b', 2)));
  await vi.advanceTimersByTimeAsync(0);
  expect(second.is).toBe('refused');
  fails = false;
  await reassembly.add(part(2, 'b', 2));
  expect(texts).toEqual(['ab']);
});

it('when nothing can be stored for long, parts without room are refused', async () => {
  const reassembly = open({ maxOctets: 1_000 });
  fails = true;
  for (let i = 0; i < 200; i++) {
    void reassembly.add(part(1, String(i), 2, i)).catch(() => {});
    await vi.advanceTimersByTimeAsync(3_000);
  }
  expect(reassembly.size).toBeLessThanOrEqual(10);
  fails = false;
  await reassembly.flush();
  expect(reassembly.size).toBe(0);
});
