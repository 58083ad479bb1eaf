import { MAX_MARGIN_DAYS, type MarginGroup, type MarginRow } from '@heliograph/contract';
import { periodBounds } from '../../core/period.ts';
import { localText } from '../../core/time-zone.ts';

/** Of what was kept of the charges; null without a margin, and where nothing was charged. */
export const shareOf = ({ margin, amount, refunded }: MarginRow): number | null =>
  margin === null || amount <= refunded ? null : margin / (amount - refunded);

export const ORDERS = ['amount', 'margin', 'share'] as const;
export type Order = (typeof ORDERS)[number];

const lowest = (a: number | null, b: number | null) => (a ?? Infinity) - (b ?? Infinity) || 0;

/** The API has the highest amounts first; days stand in their order, the last one first. */
export function ordered(rows: readonly MarginRow[], by: MarginGroup, order: Order): MarginRow[] {
  if (order === 'margin') return rows.toSorted((a, b) => lowest(a.margin, b.margin));
  if (order === 'share') return rows.toSorted((a, b) => lowest(shareOf(a), shareOf(b)));
  if (by !== 'day') return [...rows];
  return rows.toSorted((a, b) => (b.key ?? '').localeCompare(a.key ?? ''));
}

const DAY_MS = 86_400_000;

const OWN_DAYS = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

/**
 * The days of a period, the last one inclusive: of a named one by the user's clock, of two dates these, also while a year of them is
 * being typed. Null if it is none.
 */
export function daysOf(period: string, now = Date.now()): { from: string; to: string } | null {
  const [, first, last] = OWN_DAYS.exec(period) ?? [];
  if (first && last) return { from: first, to: last };
  const { from, to = now + 1 } = periodBounds(period, now) ?? {};
  if (from === undefined) return null;
  return { from: localText(from).slice(0, 10), to: localText(to - 1).slice(0, 10) };
}

const LAST_DAYS = 30;

/** Without a period, so that the first day of a month is not empty. */
export function lastDays(now = Date.now()): { from: string; to: string } {
  const day = (at: number) => localText(at).slice(0, 10);
  return { from: day(now - (LAST_DAYS - 1) * DAY_MS), to: day(now) };
}

/** What is wrong with two days; null if they can be asked for. */
export function faultOf({ from, to }: { from: string; to: string }): 'reversed' | 'long' | null {
  if (from > to) return 'reversed';
  return (Date.parse(to) - Date.parse(from)) / DAY_MS >= MAX_MARGIN_DAYS ? 'long' : null;
}

/** The filter that a row of a group is, and by what its sums are grouped next. */
export const NARROWER = {
  account: { filter: 'OwnerId', by: 'channel' },
  channel: { filter: 'ChannelId', by: 'country' },
  type: { filter: 'type', by: 'channel' },
  country: { filter: 'country', by: 'operator' },
  operator: { filter: 'mccmnc', by: 'account' },
  day: { filter: 'period', by: 'channel' },
} as const satisfies Record<MarginGroup, { filter: string; by: MarginGroup }>;

export const FILTERS = ['OwnerId', 'ChannelId', 'type', 'country', 'mccmnc'] as const;
export type Filter = (typeof FILTERS)[number];

/** Where the sums of a row are shown by what they are made of; null where the row is of what is not known. */
export function narrowed(
  params: URLSearchParams,
  by: MarginGroup,
  key: string | null,
): string | null {
  if (key === null) return null;
  const next = new URLSearchParams(params);
  next.set(NARROWER[by].filter, by === 'day' ? `${key}..${key}` : key);
  next.set('by', NARROWER[by].by);
  return `/margins?${next}`;
}
