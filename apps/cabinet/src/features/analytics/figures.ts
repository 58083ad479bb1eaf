import type { AnalyticsDimension, AnalyticsFigures, AnalyticsRow } from '@heliograph/contract';
import type { Formats } from '../../core/formats.ts';

export const FIGURES = [
  'messages',
  'delivered',
  'failed',
  'share',
  'median',
  'p95',
  'cost',
  'replies',
  'clicks',
  'optOuts',
] as const;
export type Figure = (typeof FIGURES)[number];

/** Of the messages with a result. */
export const shareOf = ({ delivered, failed }: AnalyticsFigures): number | null =>
  delivered + failed ? delivered / (delivered + failed) : null;

export const valueOf = (figures: AnalyticsFigures, name: Figure): number | null =>
  name === 'share' ? shareOf(figures) : figures[name];

export function shown(value: number | null, name: Figure, formats: Formats): string {
  if (value === null) return '–';
  if (name === 'share') return formats.percent(value);
  if (name === 'cost') return formats.money(value);
  if (name === 'median' || name === 'p95') return formats.seconds(Math.round(value * 10) / 10);
  return formats.number(value);
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
