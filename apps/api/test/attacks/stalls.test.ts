import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STALL_LIMIT_MS, Target } from './target.ts';

/** That the measure of the other files measures the product and not the machine. */

let target: Target;
beforeAll(async () => {
  target = await Target.start();
});
afterAll(() => target.stop());

/** The limit plus the delay that the machine may cause, which is subtracted. */
const STALL_MS = STALL_LIMIT_MS + 900;

test('every stall is detected', async () => {
  const stalled = target.attack(async () => {
    target.api.signal('SIGSTOP');
    await sleep(STALL_MS);
    target.api.signal('SIGCONT');
  });
  await expect(stalled).rejects.toThrow(/another caller waited \d+ ms/);
});

test('a busy machine is not a stall', async () => {
  const hogs = Array.from({ length: 6 }, () => new Worker('for (;;);', { eval: true }));
  try {
    await expect(target.attack(() => sleep(1500))).resolves.toBeUndefined();
  } finally {
    await Promise.all(hogs.map((hog) => hog.terminate()));
  }
});
