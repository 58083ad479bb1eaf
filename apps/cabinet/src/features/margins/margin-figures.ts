import { MAX_MARGIN_DAYS, type MarginGroup, type MarginRow } from '@heliograph/contract';
import { periodBounds } from '../../core/period.ts';

/** Of what was kept of the charges; null without a margin, and where nothing was charged. */
export const shareOf = ({ margin, amount, refunded }: MarginRow): number | null =>
  margin === null || amount <= refunded ? null : margin / (amount - refunded);

export const ORDERS = ['amount', 'margin', 'share'] as const;
export type Order = (typeof ORDERS)[number];

/** Its margin in percent. A loss where nothing was kept is lower than any other; what is not known comes last. */
function rankOf(row: MarginRow): number {
  if (row.margin === null) return Infinity;
  return shareOf(row) ?? (row.margin < 0 ? -Infinity : 0);
}

const lowest = (a: number, b: number) => a - b || 0;

/**
 * The API has the highest amounts first; days stand in their order, the last one first. Sums of different currencies are not compared:
 * those of one stand together.
 */
export function ordered(rows: readonly MarginRow[], by: MarginGroup, order: Order): MarginRow[] {
  if (order === 'share') return rows.toSorted((a, b) => lowest(rankOf(a), rankOf(b)));
  if (order === 'amount' && by === 'day')
    return rows.toSorted((a, b) => (b.key ?? '').localeCompare(a.key ?? ''));
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  const place = ({ currency }: MarginRow) => currencies.indexOf(currency);
  const margin = (row: MarginRow) => (order === 'margin' ? (row.margin ?? Infinity) : 0);
  return rows.toSorted((a, b) => place(a) - place(b) || lowest(margin(a), margin(b)));
}

const DAY_MS = 86_400_000;

const OWN_DAYS = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

const dayOf = (at: number | Date): string => new Date(at).toISOString().slice(0, 10);

/** The days of UTC of a period, the last one inclusive: of two dates these, also while a year of them is being typed. Null if it is none. */
export function daysOf(period: string, now = Date.now()): { from: string; to: string } | null {
  const [, first, last] = OWN_DAYS.exec(period) ?? [];
  if (first && last) return { from: first, to: last };
  const { from, to = now + 1 } = periodBounds(period, now, 'UTC') ?? {};
  if (from === undefined) return null;
  return { from: dayOf(from), to: dayOf(to - 1) };
}

const LAST_DAYS = 30;

/** Without a period, so that the first day of a month is not empty. */
export function lastDays(now = Date.now()): { from: string; to: string } {
  const first = new Date(now);
  first.setUTCDate(first.getUTCDate() - (LAST_DAYS - 1));
  return { from: dayOf(first), to: dayOf(now) };
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
