import { afterAll, vi } from 'vitest';

// Files share their process: what one replaced is put back before the next.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
