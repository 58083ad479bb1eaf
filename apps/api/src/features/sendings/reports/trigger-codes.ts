import type { Trigger } from '@heliograph/domain';

/** Stored integers of `fallback_triggers.trigger`. */
export const TRIGGER_CODES = {
  status: 1,
  timeout: 2,
  incoming: 3,
} as const satisfies Record<Trigger, number>;
