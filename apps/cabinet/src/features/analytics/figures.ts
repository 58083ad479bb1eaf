import type { AnalyticsDimension, AnalyticsFigures, AnalyticsRow } from '@heliograph/contract';
import type { Formats } from '../../core/formats.ts';
import { messageCount } from './analytics.api.ts';

export const FIGURES = [
  'messages',
  'delivered',
  'failed',
  'share',
  'median',
  'p95',
  'cost',
  'covered',
  'replies',
  'clicks',
  'optOuts',
] as const;
export type Figure = (typeof FIGURES)[number];

/** Of the messages with a result. */
export const shareOf = ({ delivered, failed }: AnalyticsFigures): number | null =>
  delivered + failed ? delivered / (delivered + failed) : null;

export function valueOf(figures: AnalyticsFigures, name: Figure): number | null {
  if (name === 'messages') return messageCount(figures);
  return name === 'share' ? shareOf(figures) : figures[name];
}

export function shown(value: number | null, name: Figure, formats: Formats): string {
  if (value === null) return '–';
  if (name === 'share') return formats.percent(value);
  if (name === 'cost') return formats.money(value);
  if (name === 'median' || name === 'p95') return duration(value, formats);
  return formats.number(value);
}

const UNITS = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** In the largest unit of which there are two. */
function duration(seconds: number, { locale }: Formats): string {
  const [unit, length] = UNITS.find(([, one]) => seconds >= 2 * one) ?? UNITS[2];
  const options = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, options).format(seconds / length);
}

/** The days between rows of days as well, on which there was nothing. */
export function withGaps<R extends { key: string }>(rows: readonly R[]): (R | { key: string })[] {
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const [first, last] = [rows[0], rows.at(-1)].map((row) => Date.parse(row?.key ?? ''));
  const days: (R | { key: string })[] = [];
  for (let at = first!; at <= last!; at += 86_400_000) {
    const key = new Date(at).toISOString().slice(0, 10);
    days.push(byDay.get(key) ?? { key });
  }
  return days;
}

/** The filter of outgoing messages by which a row is found there; null where none says it. */
const FILTERS: Partial<Record<AnalyticsDimension, string>> = {
  type: 'type',
  operator: 'mccmnc',
  country: 'country',
  sender: 'sender',
  task: 'groupId',
  token: 'TokenId',
  account: 'OwnerId',
};

/** Where the messages of a row are listed, of one status or all. */
export function messagesOf(
  { key }: Pick<AnalyticsRow, 'key'>,
  by: AnalyticsDimension,
  period: string,
  status?: string,
): string | null {
  const filter = FILTERS[by];
  if (!key || (by !== 'day' && !filter)) return null;
  const params = new URLSearchParams({ period: by === 'day' ? `${key}..${key}` : period });
  if (filter) params.set(`f.${filter}`, key);
  if (status) params.set('f.status', status);
  return `/messages/outgoing?${params}`;
}
