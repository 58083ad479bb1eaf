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
 * `ListQuery` in its periods, which stay relative: a key with bounds in it would change every second.
 */
export interface ListAsk extends Omit<ListQuery, 'range' | 'offset' | 'scope'> {
  /** From the first row on, when absent. */
  offset?: number;
  scope?: ListQuery['scope'];
  periods?: AskPeriod[];
}

export function toListQuery({ periods = [], ...ask }: ListAsk, now: number): Partial<ListQuery> {
  const range: ListQuery['range'] = {};
  for (const { field, value } of periods) {
    const { from, to } = periodBounds(value, now) ?? {};
    if (!from && !to) continue;
    range[field] = {
      ...(from && { $gt: new Date(from).toISOString() }),
      ...(to && { $lt: new Date(to).toISOString() }),
    };
  }
  return { ...ask, range };
}
