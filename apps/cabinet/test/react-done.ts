import { getConfig } from '@testing-library/react';
import { createRequire } from 'node:module';

interface Scheduler {
  unstable_IdlePriority: number;
  unstable_scheduleCallback(priority: number, work: () => void): void;
}
const require = createRequire(import.meta.url);
/** The one of React. */
const scheduler = createRequire(require.resolve('react-dom'))('scheduler') as Scheduler;

const idle = () =>
  new Promise<void>((resolve) =>
    scheduler.unstable_scheduleCallback(scheduler.unstable_IdlePriority, resolve),
  );

const { asyncWrapper: asBefore } = getConfig();

/**
 * Around `findBy…`, `waitFor` and the actions of a user: React runs the effects of what it has drawn later than it draws, how much later
 * depends on the machine. When the wait ends they have run, and what they set is drawn, as it is after an event.
 */
export const asyncWrapper: typeof asBefore = async (work) => {
  const result = await asBefore(work);
  await idle();
  await idle();
  return result;
};
