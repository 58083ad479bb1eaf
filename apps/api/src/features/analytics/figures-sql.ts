import { DELIVERY_BOUNDS } from '@heliograph/domain';

/** What a rollup is of. */
export const KEYS = ['owner_id', 'at', 'type', 'mccmnc', 'sender', 'task_id', 'token_id'] as const;
export const COUNTS = [
  'messages',
  'submitted',
  'delivered',
  'seen',
  'failed',
  'cancelled',
  'replies',
  'opt_outs',
  'clicks',
  'covered',
] as const;
/** Counts of deliveries by the time that they took. */
export const TIMES = [...DELIVERY_BOUNDS.map((seconds) => `within_${seconds}`), 'later'];
export const AMOUNTS = ['charged', 'refunded'] as const;
/** The columns with figures. */
export const FIGURES = [...COUNTS, ...TIMES, ...AMOUNTS];
