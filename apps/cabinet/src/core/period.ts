import { localTime, timeZone } from './time-zone.ts';
import { instantOf, wallClock } from './zoned-time.ts';

/** Periods that move with the clock; the rest of the values are `from..to` with local dates or times. */
export const PERIODS = [
  '5m',
  '15m',
  '30m',
  '1h',
  '3h',
  '6h',
  'today',
  'yesterday',
  'week',
  'lastWeek',
  'month',
  'lastMonth',
] as const;
export type Period = (typeof PERIODS)[number];

export interface Bounds {
  from?: number;
  to?: number;
}

const UNIT = { m: 60_000, h: 3_600_000 };
const DAY = 86_400_000;

const isPreset = (value: string) => (PERIODS as readonly string[]).includes(value);

/** Midnight in a time zone, `days` after the day of `now`; over clock changes too. */
function midnight(now: number, zone: string, days = 0): number {
  const d = new Date(wallClock(now, zone));
  return startOf(zone, d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate() + days);
}

function monthStart(now: number, zone: string, months = 0): number {
  const d = new Date(wallClock(now, zone));
  return startOf(zone, d.getUTCFullYear(), d.getUTCMonth() + months, 1);
}

const startOf = (zone: string, year: number, month: number, day: number): number =>
  instantOf(Date.UTC(year, month, day), zone);

/** The bounds of a period in Unix milliseconds, of days in the user's time zone unless another is given; null when the text is no period. */
export function periodBounds(value: string, now: number, zone = timeZone()): Bounds | null {
  if (!isPreset(value)) return customBounds(value, zone);
  const span = /^(\d+)([mh])$/.exec(value);
  if (span) return { from: now - Number(span[1]) * UNIT[span[2] as 'm' | 'h'] };
  // Weeks begin on Monday.
  const weekday = (new Date(wallClock(now, zone)).getUTCDay() + 6) % 7;
  switch (value) {
    case 'today':
      return { from: midnight(now, zone) };
    case 'yesterday':
      return { from: midnight(now, zone, -1), to: midnight(now, zone) };
    case 'week':
      return { from: midnight(now, zone, -weekday) };
    case 'lastWeek':
      return { from: midnight(now, zone, -weekday - 7), to: midnight(now, zone, -weekday) };
    case 'month':
      return { from: monthStart(now, zone) };
    case 'lastMonth':
      return { from: monthStart(now, zone, -1), to: monthStart(now, zone) };
    default:
      return null;
  }
}

/** `2026-11-01..2026-11-07` holds both days whole; a time instead of a date is taken as it is. */
function customBounds(value: string, zone: string): Bounds | null {
  const [left, right, more] = value.split('..');
  if (left === undefined || right === undefined || more !== undefined) return null;
  const from = left ? parseEdge(left, 0, zone) : undefined;
  const to = right ? parseEdge(right, 1, zone) : undefined;
  if (Number.isNaN(from) || Number.isNaN(to) || (from === undefined && to === undefined))
    return null;
  return { from, to };
}

const EDGE = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** NaN for a date that does not exist, for example the 31st of a short month. */
function parseEdge(text: string, addDays: 0 | 1, zone: string): number {
  const [, date = '', time] = EDGE.exec(text) ?? [];
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const midday = new Date(Date.UTC(year, month - 1, day, 12));
  if (!date || midday.toISOString().slice(0, 10) !== date) return Number.NaN;
  if (!time) return startOf(zone, year, month - 1, day + addDays);
  return /(Z|[+-]\d{2}:\d{2})$/.test(time) ? Date.parse(text) : localTime(text);
}

/** The ISO form of an edge with a time. */
export const edgeTime = (edge: string): string =>
  new Date(parseEdge(edge, 0, timeZone())).toISOString();

/** Days a period spans, started days counted whole; Infinity when it has no beginning. */
export function periodDays(value: string, now: number): number {
  const bounds = periodBounds(value, now);
  if (!bounds?.from) return Infinity;
  // A day that ends summer time has an hour more.
  return Math.max(1, Math.ceil(((bounds.to ?? now) - bounds.from - UNIT.h) / DAY));
}
