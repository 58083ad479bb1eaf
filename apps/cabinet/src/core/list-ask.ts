import type { ListQuery } from '@heliograph/contract';
import { periodBounds } from './period.ts';

export interface AskPeriod {
  /** The field that takes `[$gt]` and `[$lt]`. */
  field: string;
  /** `1h`, `today`, `2026-11-01..2026-11-07`: relative ones are resolved when the server is asked. */
  value: string;
}

/**
 * What a list is asked for, as it stands in a query key: `[resource, 'find', ask]`. It differs from the wire's
 * `ListQuery` in its period, which stays relative: a key with bounds in it would change every second.
 */
export interface ListAsk extends Omit<ListQuery, 'range'> {
  period?: AskPeriod;
}

export function toListQuery({ period, ...ask }: ListAsk, now: number): ListQuery {
  const bounds = period && periodBounds(period.value, now);
  if (!bounds) return { ...ask, range: {} };
  const { from, to } = bounds;
  const range = {
    ...(from && { $gt: new Date(from).toISOString() }),
    ...(to && { $lt: new Date(to).toISOString() }),
  };
  return { ...ask, range: { [period.field]: range } };
}
