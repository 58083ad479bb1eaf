import type { ListQuery } from '@heliograph/contract';
import { periodBounds } from './period.ts';

/** Specification, section 9: rows are searched for when typing pauses for this long. */
export const FIND_DEBOUNCE_MS = 500;

export interface RequestPeriod {
  /** The field that takes `[$gt]` and `[$lt]`. */
  field: string;
  /** `1h`, `today`, `2026-11-01..2026-11-07`: relative ones are resolved when the request is sent. */
  value: string;
}

/**
 * The request of a list as it is part of a query key. It differs from the wire's `ListQuery` in its periods, which stay
 * relative: a key with their bounds would change every second.
 */
export interface ListRequest extends Omit<ListQuery, 'range' | 'offset' | 'scope'> {
  /** From the first row on, when absent. */
  offset?: number;
  scope?: ListQuery['scope'];
  periods?: RequestPeriod[];
}

export function toListQuery(
  { periods = [], ...request }: ListRequest,
  now: number,
): Partial<ListQuery> {
  const range: ListQuery['range'] = {};
  for (const { field, value } of periods) {
    const { from, to } = periodBounds(value, now) ?? {};
    if (!from && !to) continue;
    range[field] = {
      ...(from && { $gt: new Date(from).toISOString() }),
      ...(to && { $lt: new Date(to).toISOString() }),
    };
  }
  return { ...request, range };
}
