import { readdirSync, readFileSync } from 'node:fs';
import { NoAnswer } from '@heliograph/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import { fetched } from './lost-chunk.ts';

const lost = new TypeError('Failed to fetch dynamically imported module');
const reload = vi.fn<() => void>();
let isUp = true;
let kept: Record<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  reload.mockClear();
  isUp = true;
  kept = {};
  vi.stubGlobal('fetch', async () => {
    if (!isUp) throw new TypeError('Failed to fetch');
    return { ok: true };
  });
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => (kept[key] = value),
  });
});

it('code is waited for while the server is away', async () => {
  isUp = false;
  const load = vi.fn<() => Promise<string>>(async () => {
    if (!isUp) throw lost;
    return 'code';
  });
  const answer = fetched(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledOnce();
  isUp = true;
  await vi.advanceTimersByTimeAsync(2000);
  expect(await answer).toBe('code');
  expect(reload).not.toHaveBeenCalled();
});

it('the impatient are told', async () => {
  isUp = false;
  await expect(fetched(() => Promise.reject(lost), false)).rejects.toThrow(NoAnswer);
});

it('an answer that was cut short is asked for again', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(lost).mockResolvedValue('code');
  expect(await fetched(load)).toBe('code');
  expect(reload).not.toHaveBeenCalled();
});

it('code that is gone brings the new release by one reload, and is an error after that', async () => {
  let isOver = false;
  void fetched(() => Promise.reject(lost)).finally(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reload).toHaveBeenCalledOnce();
  expect(isOver).toBe(false);
  await expect(fetched(() => Promise.reject(lost))).rejects.toBe(lost);
  await vi.advanceTimersByTimeAsync(60_000);
  void fetched(() => Promise.reject(lost));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reload).toHaveBeenCalledTimes(2);
});

it('all code that comes later is asked for like this', () => {
  const folder = new URL('../', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\./.test(file),
  );
  const asks = files.flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    return [...text.matchAll(/\bimport\('/g)].map(({ index }) => {
      return { file, before: text.slice(Math.max(0, index - 200), index) };
    });
  });
  expect(asks.length).toBeGreaterThan(40);
  // `later` and `page` fetch what they are given.
  const asked = /fetched\(|later(<\w+>)?\(|\bload: async/;
  expect(asks.filter(({ before }) => !asked.test(before)).map(({ file }) => file)).toEqual([]);
});
