import { onTestFinished, vi } from 'vitest';

/** Until the end of the test no further second passes: a limit of so much a minute or hour does not begin anew in the middle of it. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
}
