import { Injectable } from '@nestjs/common';
import type { Summary } from '@heliograph/contract';
import { may, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { invalid } from '../../core/errors.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { QUARTER_MS, SummaryStore, type QuarterRow } from './summary.store.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;
/** Days begin at whole quarters of an hour all over the world; the one that goes on began so long ago at most. */
const TODAY_MS = 26 * 3_600_000;

interface Counted {
  rows: QuarterRow[];
  /** What lies before was not counted. */
  since: number;
  at: Date;
}

/** However often it is asked for, counting takes a twentieth of one connection per account and span at most. */
const atLeast = (ms: number) => (tookMs: number) => Math.max(ms, 21 * tookMs);

@Injectable()
export class SummaryService {
  private readonly past = new TtlCache((id: string) => this.countPast(id), atLeast(10 * 60_000));
  private readonly today = new TtlCache((id: string) => this.countToday(id), atLeast(2000));

  constructor(
    private readonly store: SummaryStore,
    private readonly clock: Clock,
  ) {}

  /** The last seven days of the actor's account; `asked` is when its today began. */
  async of(actor: Actor, asked: string | undefined): Promise<Summary> {
    const { OwnerId } = actor;
    const from = this.beginOf(asked);
    const past = await this.past.get(OwnerId);
    const today = await this.today.get(OwnerId);
    const rows = [...past.rows.filter((row) => row.at < today.since), ...today.rows];
    const days = Array.from({ length: DAYS }, (_, i) =>
      dayOf(rows, from - (DAYS - 1 - i) * DAY_MS),
    );
    const money = may(actor, 'billings.find') ? await this.moneyOf(OwnerId, days) : null;
    return { days, money, countedAt: today.at.toISOString() };
  }

  /** Every day that somebody may call the sixth before today, until the earliest that somebody may call today. */
  private countPast(OwnerId: string): Promise<Counted> {
    const until = quarter(this.clock.now().getTime() - TODAY_MS);
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
    const past = days.slice(0, -1);
    const average = past.reduce((sum, day) => sum + day.spent, 0) / past.length;
    const funds = average ? await this.store.funds(OwnerId) : 0;
    const daysLeft = average ? Math.max(0, Math.floor(funds / average)) : null;
    return { average: tenThousandths(average), daysLeft };
  }

  private beginOf(asked: string | undefined): number {
    const now = this.clock.now().getTime();
    const from = asked ? Date.parse(asked) : now - (now % DAY_MS);
    // Some days have 25 hours, and clocks differ.
    if (from > now + 3_600_000 || from < now - TODAY_MS)
      throw invalid('from', 'range', 'The day must be the one that goes on.');
    return quarter(from);
  }
}

const quarter = (ms: number) => ms - (ms % QUARTER_MS);

function dayOf(rows: QuarterRow[], from: number): Summary['days'][number] {
  const day = {
    from: new Date(from).toISOString(),
    total: 0,
    delivered: 0,
    failed: 0,
    cancelled: 0,
    spent: 0,
  };
  for (const row of rows) {
    if (row.at < from || row.at >= from + DAY_MS) continue;
    day.total += row.total;
    day.delivered += row.delivered;
    day.failed += row.failed;
    day.cancelled += row.cancelled;
    day.spent += row.spent;
  }
  return { ...day, spent: tenThousandths(day.spent) };
}

const tenThousandths = (amount: number) => Math.round(amount * 10_000) / 10_000;
