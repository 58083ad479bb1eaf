import type { RequestPeriod, ListRequest } from '../list-request.ts';
import { periodBounds } from '../period.ts';

export interface Row {
  id: string;
  createdAt?: string;
  updatedAt?: string;
}

/** A filter's name is a field of the row, or of its state. */
function valueOf(row: object, name: string): unknown {
  const own = (row as Record<string, unknown>)[name];
  if (own !== undefined) return own;
  const state = (row as { state?: unknown }).state;
  return typeof state === 'object' && state ? (state as Record<string, unknown>)[name] : undefined;
}

const isReferralBonus = (row: { meta?: { origin?: { type?: string } | null } }): boolean =>
  row.meta?.origin?.type === 'referral';

/** The server also takes a part of them, another spelling of them, or what they are in. */
const LOOSE = new Set(['recipient', 'ip']);

/** Whether the row matches the request; `unknown` when only the server can decide. */
export function belongs(row: object, request: ListRequest, now: number): boolean | 'unknown' {
  let answer: boolean | 'unknown' = request.search ? 'unknown' : true;
  if (request.scope?.includes('referral')) {
    // An event has the entry without its referral, which only the list has.
    if (!isReferralBonus(row)) return false;
    answer = 'unknown';
  }
  // Such a list has one message of each recipient, the first.
  if (request.filter.outcome !== undefined && (row as { attempt?: number }).attempt) return false;
  for (const [name, wanted] of Object.entries(request.filter)) {
    if (wanted === undefined) continue;
    const value = valueOf(row, name);
    if (value === undefined) answer = 'unknown';
    else if (![wanted].flat().map(String).includes(String(value))) {
      if (!LOOSE.has(name)) return false;
      answer = 'unknown';
    }
  }
  return request.periods?.every((period) => within(row, period, now)) === false ? false : answer;
}

function within(row: object, { field, value }: RequestPeriod, now: number): boolean {
  const at = valueOf(row, field);
  const bounds = periodBounds(value, now);
  if (typeof at !== 'string' || !bounds) return true;
  const time = Date.parse(at);
  return (!bounds.from || time >= bounds.from) && (!bounds.to || time <= bounds.to);
}

/** New rows are inserted first only in lists ordered by creation, newest first. */
export function newestFirst({ order }: ListRequest): boolean {
  const [first] = order;
  return !first || (first.field === 'createdAt' && first.direction === 'desc');
}
