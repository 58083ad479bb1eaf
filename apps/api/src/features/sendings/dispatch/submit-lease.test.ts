import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SubmitLease, type SubmitLeaseParts } from './submit-lease.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const renew = vi.fn<() => Promise<boolean>>();
const leased = (parts: Partial<SubmitLeaseParts> = {}) => {
  renew.mockReset().mockResolvedValue(true);
  return new SubmitLease({
    leaseMs: 20_000,
    elapsedMs: 0,
    renew,
    isStopping: () => false,
    ...parts,
  });
};
const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('leaves a quarter of the lease, counted from its beginning', async () => {
  const lease = leased({ elapsedMs: 4_000 });
  await after(10_999);
  expect(lease.signal.aborted).toBe(false);
  await after(1);
  expect(lease.signal.aborted).toBe(true);
});

it('goes on as long as there is progress, with a renewal now and then', async () => {
  const lease = leased();
  for (let ms = 0; ms < 120_000; ms += 100) {
    lease.progress();
    await after(100);
  }
  expect(lease.signal.aborted).toBe(false);
  expect(renew).toHaveBeenCalledTimes(29);
  await after(15_000);
  expect(lease.signal.aborted).toBe(true);
});

it('ends when another worker has the batches', async () => {
  const lease = leased();
  renew.mockResolvedValue(false);
  await after(5_000);
  lease.progress();
  await after(0);
  expect(lease.signal.aborted).toBe(true);
});

it('ends in its time when it cannot be renewed, and asks no more often', async () => {
  const lease = leased();
  renew.mockRejectedValue(new Error('the database is away'));
  for (let ms = 0; ms < 15_000; ms += 100) {
    expect(lease.signal.aborted).toBe(false);
    lease.progress();
    await after(100);
  }
  expect(lease.signal.aborted).toBe(true);
  expect(renew).toHaveBeenCalledTimes(3);
});

it('is not renewed by a worker that stops, nor after its end', async () => {
  const stopping = leased({ isStopping: () => true });
  await after(5_000);
  stopping.progress();
  expect(renew).not.toHaveBeenCalled();

  const over = leased({ leaseMs: 1_000 });
  await after(750);
  over.progress();
  expect(renew).not.toHaveBeenCalled();

  const ended = leased();
  await ended.end();
  await after(60_000);
  expect(ended.signal.aborted).toBe(false);
});
