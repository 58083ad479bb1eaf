import type { Task } from '@heliograph/contract';

export interface TaskProgress {
  /** Recipients whose last outcome is known. */
  completed: number;
  errored: number;
  /** Stopped before they were reached: in no rate. */
  cancelled: number;
  /** Of whom it is known whether they were reached. */
  done: number;
  /** Of whom nothing more will happen: those done, and those cancelled. */
  ended: number;
  /** Created so far, and how many there will be when the audience has been read. */
  total: number;
  expected: number;
  skipped: number;
  /** Shares of the bar, 0 to 100; they never add up to more. */
  completedShare: number;
  erroredShare: number;
  /** Of those done, exactly 100 when all are: shares added up may fall short of it. */
  doneShare: number;
}

export function progressOf({ meta: { counters } }: Task): TaskProgress {
  const { completed, errored, cancelled, total } = counters;
  const done = completed + errored;
  const ended = done + cancelled;
  // The audience may turn out larger than was counted at the start.
  const expected = Math.max(counters.expected, total, ended);
  const skipped = Object.values(counters.skipped).reduce((sum, n) => sum + n, 0);
  const share = (n: number) => (expected ? (n / expected) * 100 : 0);
  return {
    completed,
    errored,
    cancelled,
    done,
    ended,
    total,
    expected,
    skipped,
    completedShare: share(completed),
    erroredShare: share(errored),
    doneShare: share(done),
  };
}
