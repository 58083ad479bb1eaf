import { MAX_REPORT_DAYS } from '@heliograph/contract';
import { periodBounds, periodDays } from '../../core/period.ts';
import { localText, localTime } from '../../core/time-zone.ts';

/** The value of the period field when two times are entered. */
export const OWN = 'own';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface RangeValues {
  /** Of `PERIODS`, or `OWN`. */
  period: string;
  /** `2026-11-22T09:15`, in the user's time zone; empty when not entered. */
  from: string;
  to: string;
}

/** A single time stands for both, as in the specification; the range includes the minute of its end. */
function ownTimes({ from, to }: RangeValues): { from: number; to: number } | null {
  const [first, last] = [localTime(from || to), localTime(to || from)];
  return Number.isNaN(first) || Number.isNaN(last) ? null : { from: first, to: last + MINUTE_MS };
}

/** The bounds of the request, both excluded; null while there are none. */
export function reportRange(values: RangeValues, now: number): { $gt: string; $lt: string } | null {
  const bounds = values.period === OWN ? ownTimes(values) : periodBounds(values.period, now);
  if (!bounds?.from) return null;
  return {
    $gt: new Date(bounds.from - 1).toISOString(),
    $lt: new Date(bounds.to ?? now).toISOString(),
  };
}

export type RangeProblem = 'required' | 'reversed' | 'tooLong';

export function rangeProblem(values: RangeValues, now: number): RangeProblem | null {
  const range = reportRange(values, now);
  if (!range) return 'required';
  if (range.$gt >= range.$lt) return 'reversed';
  return periodDays(`${range.$gt}..${range.$lt}`, now) > MAX_REPORT_DAYS ? 'tooLong' : null;
}

/**
 * The values of the fields for the period of a list. Where it has none, they begin at `since`, the time before which there is
 * nothing to report, such as `2026-11-22T09:15:00Z`.
 */
export function valuesOf(period: string, now: number, since?: string): RangeValues {
  if (!period && since) {
    const from = Date.parse(since);
    const to = Math.min(now, from + MAX_REPORT_DAYS * DAY_MS);
    return { period: OWN, from: localText(from), to: localText(to) };
  }
  if (!period.includes('..')) return { period: period || '5m', from: '', to: '' };
  const { from, to } = periodBounds(period, now) ?? {};
  return {
    period: OWN,
    from: from ? localText(from) : '',
    to: to ? localText(to - MINUTE_MS) : '',
  };
}
