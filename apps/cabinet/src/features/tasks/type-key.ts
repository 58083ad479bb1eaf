import type { TaskType } from '@heliograph/contract';

/** The type in keys of texts, where a colon separates the namespace: `recurrent` of `payments:recurrent`. */
export const typeKey = (type: TaskType) =>
  type.slice(type.indexOf(':') + 1) as 'bulk' | 'recurrent' | 'operations';
