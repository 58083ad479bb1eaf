import { vi } from 'vitest';
import type { FakeClock } from './world.ts';

/**
 * How time passes at once: for what goes by the clock of the world, and for what measures it within the process. Leases may so be long,
 * and a machine that stands still for seconds ends none of them. Ends with `vi.restoreAllMocks()`, after the world: measured time must not
 * go back.
 */
export function skippingTime(clock: FakeClock): (seconds: number) => void {
  const measured = performance.now.bind(performance);
  let skipped = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => measured() + skipped);
  return (seconds) => {
    skipped += seconds * 1000;
    clock.forward(seconds);
  };
}
