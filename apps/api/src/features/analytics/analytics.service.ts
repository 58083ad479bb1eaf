import { Injectable } from '@nestjs/common';
import type {
  analytics,
  Analytics,
  AnalyticsDimension,
  AnalyticsFigures,
  Permission,
} from '@heliograph/contract';
import { deliverySeconds, moneyToNumber, parseMoney, typeOf } from '@heliograph/domain';
import { may, type Actor } from '../../core/auth/actor.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countryCodes, operatorByCode } from '../sendings/pricing/pricing.service.ts';
import {
  AnalyticsStore,
  hasClicks,
  type GroupFigures,
  type RollupFilter,
} from './analytics.store.ts';
import { COUNTS } from './figures-sql.ts';

type Query = In<typeof analytics.get>['query'];

/** More than there are mobile country codes, several of which one country may have. */
const MAX_COUNTRY_CODES = 1000;
/** The permission to read what titles name. */
const TITLED = {
  task: 'tasks.get',
  token: 'tokens.get',
  account: 'users.get',
} as const satisfies Partial<Record<AnalyticsDimension, Permission>>;

@Injectable()
export class AnalyticsService {
  constructor(private readonly store: AnalyticsStore) {}

  async get(actor: Actor, query: Query): Promise<Analytics> {
    const { by, rows: limit, country, type, mccmnc, sender, groupId, TokenId } = query;
    const countries = country === undefined ? undefined : countryCodes(country);
    const filter: RollupFilter = { type, mccmnc, sender, groupId, TokenId, countries };
    const found = await this.store.figures(
      actor.scope,
      query,
      filter,
      by === 'country' ? MAX_COUNTRY_CODES : limit + 1,
    );
    const named = found.map((row) => ({
      ...row,
      key: row.key === null ? null : keyOf(by, row.key),
    }));
    const groups = Map.groupBy(named, ({ key }) => key);
    const present = presenter(actor, hasClicks(by, filter));
    const both = (rows: GroupFigures[] = []) => ({
      figures: present(rows.filter(({ isCurrent }) => isCurrent)),
      before: query.beforeFrom ? present(rows.filter(({ isCurrent }) => !isCurrent)) : null,
    });
    const total = both(groups.get(null));
    groups.delete(null);
    const all = [...groups].map(([key, own]) => ({ key: key!, title: null, ...both(own) }));
    const data = all.toSorted(ORDERS[by] ?? byMessages);
    const shown = await this.titled(actor, by, data.slice(0, limit));
    return { total: total.figures, before: total.before, data: shown, isCut: data.length > limit };
  }

  private async titled(
    actor: Actor,
    by: AnalyticsDimension,
    rows: Analytics['data'],
  ): Promise<Analytics['data']> {
    if (by === 'operator')
      return rows.map((row) => ({ ...row, title: operatorByCode(row.key)?.name ?? null }));
    if (by !== 'task' && by !== 'token' && by !== 'account') return rows;
    if (!may(actor, TITLED[by])) return rows;
    const ids = rows.flatMap(({ key }) => key || []);
    const titles = await this.store.titles(by, ids);
    return rows.map((row) => ({ ...row, title: titles.get(row.key) ?? null }));
  }
}

type Row = Analytics['data'][number];
const byMessages = (a: Row, b: Row): number =>
  b.figures.messages - a.figures.messages ||
  (b.before?.messages ?? 0) - (a.before?.messages ?? 0) ||
  a.key.localeCompare(b.key);
const ORDERS: Partial<Record<AnalyticsDimension, typeof byMessages>> = {
  day: (a, b) => a.key.localeCompare(b.key),
  hour: (a, b) => Number(a.key) - Number(b.key),
};

function keyOf(by: AnalyticsDimension, key: string): string {
  if (by === 'type') return Number(key) ? typeOf(Number(key)) : '';
  if (by === 'country') return key && (operatorByCode(`${key}*`)?.country ?? '');
  return key;
}

/** Figures of groups together, as far as the actor may read them. */
function presenter(actor: Actor, isClicked: boolean) {
  const readable = <T>(permission: Permission, value: T) => (may(actor, permission) ? value : null);
  return (rows: GroupFigures[]): AnalyticsFigures => {
    const sum = (of: (row: GroupFigures) => number) =>
      rows.reduce((total, row) => total + of(row), 0);
    const counts = Object.fromEntries(
      COUNTS.map((name, i) => [name, sum((row) => row.counts[i]!)]),
    ) as Record<(typeof COUNTS)[number], number>;
    const times = Array.from({ length: rows[0]?.times.length ?? 0 }, (_, i) =>
      sum((row) => row.times[i]!),
    );
    const cost = rows.reduce((total, row) => total + parseMoney(row.cost), 0n);
    const { messages, submitted, delivered, seen, failed, cancelled } = counts;
    return {
      messages,
      submitted,
      delivered,
      seen,
      failed,
      cancelled,
      replies: readable('sendingsIncoming.get', counts.replies),
      optOuts: readable('suppressions.get', counts.opt_outs),
      clicks: isClicked ? readable('links.get', counts.clicks) : null,
      cost: readable('billings.find', moneyToNumber(cost)),
      covered: readable('billings.find', counts.covered),
      median: deliverySeconds(times, 0.5),
      p95: deliverySeconds(times, 0.95),
    };
  };
}
