import type { Task } from '@heliograph/contract';

export interface TaskProgress {
  /** Recipients whose last outcome is known. */
  completed: number;
  errored: number;
  /** Stopped before they were reached: in no rate. */
  cancelled: number;
  /** All of whom it is known. */
  done: number;
  /** Created so far, and how many there will be when the audience has been read. */
  total: number;
  expected: number;
  skipped: number;
  /** Shares of the bar, 0 to 100; they never add up to more. */
  completedShare: number;
  erroredShare: number;
  cancelledShare: number;
  /** Of all together, exactly 100 when all are known: shares added up may fall short of it. */
  doneShare: number;
}

export function progressOf({ meta: { counters } }: Task): TaskProgress {
  const { completed, errored, cancelled, total } = counters;
  const done = completed + errored + cancelled;
  // The audience may turn out larger than was counted at the start.
  const expected = Math.max(counters.expected, total, done);
  const skipped = Object.values(counters.skipped).reduce((sum, n) => sum + n, 0);
  const share = (n: number) => (expected ? (n / expected) * 100 : 0);
  return {
    completed,
    errored,
    cancelled,
    done,
    total,
    expected,
    skipped,
    completedShare: share(completed),
    erroredShare: share(errored),
    cancelledShare: share(cancelled),
    doneShare: share(done),
  };
}
