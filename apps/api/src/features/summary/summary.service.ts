import { Injectable } from '@nestjs/common';
import type { summary, Summary } from '@heliograph/contract';
import { daysBefore } from '@heliograph/domain';
import { may, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { invalid } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { QUARTER_MS, SummaryStore, type QuarterRow } from './summary.store.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;
/** The current day, in any time zone, began at most this long ago. Days begin at multiples of 15 minutes in all time zones. */
const MAX_DAY_MS = 26 * 3_600_000;

interface Counted {
  rows: QuarterRow[];
  /** Start of the counted period. */
  since: number;
  at: Date;
}

/** The TTL grows with the duration, so that counting uses at most 5 % of one connection per account. */
const atLeast = (ms: number) => (tookMs: number) => Math.max(ms, 21 * tookMs);

@Injectable()
export class SummaryService {
  private readonly past = new TtlCache((id: string) => this.countPast(id), atLeast(10 * 60_000));
  private readonly today = new TtlCache((id: string) => this.countToday(id), atLeast(2000));

  constructor(
    private readonly store: SummaryStore,
    private readonly clock: Clock,
  ) {}

  /** The last seven days of the actor's account; `from` is the start of the current day in its time zone. */
  async of(
    actor: Actor,
    { from: dayStart, timeZone }: In<typeof summary.get>['query'],
  ): Promise<Summary> {
    const { OwnerId } = actor;
    const from = this.startOf(dayStart);
    const past = await this.past.get(OwnerId);
    const today = await this.today.get(OwnerId);
    const rows = [...past.rows.filter((row) => row.at < today.since), ...today.rows];
    const before = timeZone
      ? daysBefore(from, DAYS - 1, timeZone)
      : Array.from({ length: DAYS - 1 }, (_, i) => from - (DAYS - 1 - i) * DAY_MS);
    // Of the current day until now, also in the last hour of one that has 25.
    const ends = [...before.slice(1), from, Infinity];
    const days = [...before, from].map((start, i) => dayOf(rows, start, ends[i]!));
    const money = may(actor, 'billings.find') ? await this.moneyOf(OwnerId, days) : null;
    return { days, money, countedAt: today.at.toISOString() };
  }

  /** Counts the previous six days of all time zones, up to the earliest start of the current day. */
  private countPast(OwnerId: string): Promise<Counted> {
    const until = quarter(this.clock.now().getTime() - MAX_DAY_MS);
    return this.count(OwnerId, until - (DAYS - 1) * DAY_MS, until);
  }

  private async countToday(OwnerId: string): Promise<Counted> {
    const past = await this.past.get(OwnerId);
    return this.count(OwnerId, past.since + (DAYS - 1) * DAY_MS, null);
  }

  private async count(OwnerId: string, since: number, until: number | null): Promise<Counted> {
    const at = this.clock.now();
    return { rows: await this.store.quarters(OwnerId, since, until), since, at };
  }

  private async moneyOf(OwnerId: string, days: Summary['days']): Promise<Summary['money']> {
    const { funds, createdAt } = await this.store.accountOf(OwnerId);
    // The days before an account existed tell nothing about its pace.
    const isOwn = ({ from, spent }: Summary['days'][number]) =>
      spent > 0 || Date.parse(from) + DAY_MS > createdAt.getTime();
    const first = days.findIndex(isOwn);
    const past = first < 0 ? [] : days.slice(first, -1);
    const spent = past.reduce((sum, day) => sum + day.spent, 0);
    const today = days.at(-1)!.spent;
    // The current day has not ended: it counts once it raises the average.
    const average = Math.max(
      past.length ? spent / past.length : 0,
      (spent + today) / (past.length + 1),
    );
    const daysLeft = average ? Math.max(0, Math.floor(funds / average)) : null;
    return { average: tenThousandths(average), daysLeft };
  }

  private startOf(dayStart: string | undefined): number {
    const now = this.clock.now().getTime();
    const from = dayStart ? Date.parse(dayStart) : now - (now % DAY_MS);
    // Some days have 25 hours, and client clocks differ.
    if (from > now + 3_600_000 || from < now - MAX_DAY_MS)
      throw invalid('from', 'range', 'The day must be the current one.');
    return quarter(from);
  }
}

const quarter = (ms: number) => ms - (ms % QUARTER_MS);

function dayOf(rows: QuarterRow[], from: number, end: number): Summary['days'][number] {
  const day = {
    from: new Date(from).toISOString(),
    total: 0,
    delivered: 0,
    failed: 0,
    cancelled: 0,
    spent: 0,
  };
  for (const row of rows) {
    if (row.at < from || row.at >= end) continue;
    day.total += row.total;
    day.delivered += row.delivered;
    day.failed += row.failed;
    day.cancelled += row.cancelled;
    day.spent += row.spent;
  }
  return { ...day, spent: tenThousandths(day.spent) };
}

const tenThousandths = (amount: number) => Math.round(amount * 10_000) / 10_000;
