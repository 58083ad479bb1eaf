import type { Task } from '@heliograph/contract';

export interface TaskProgress {
  /** Recipients whose last outcome is known. */
  completed: number;
  errored: number;
  /** Created so far, and how many there will be when the audience has been read. */
  total: number;
  expected: number;
  skipped: number;
  /** Shares of the bar, 0 to 100; they never add up to more. */
  completedShare: number;
  erroredShare: number;
  /** Of both together, exactly 100 when all are known: shares added up may fall short of it. */
  doneShare: number;
}

export function progressOf({ meta: { counters } }: Task): TaskProgress {
  const { completed, errored, total } = counters;
  // The audience may turn out larger than was counted at the start.
  const expected = Math.max(counters.expected, total, completed + errored);
  const skipped = Object.values(counters.skipped).reduce((sum, n) => sum + n, 0);
  const share = (n: number) => (expected ? (n / expected) * 100 : 0);
  return {
    completed,
    errored,
    total,
    expected,
    skipped,
    completedShare: share(completed),
    erroredShare: share(errored),
    doneShare: share(completed + errored),
  };
}
