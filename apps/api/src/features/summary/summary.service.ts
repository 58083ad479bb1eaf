import { Injectable } from '@nestjs/common';
import type { Summary } from '@heliograph/contract';
import { may, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { invalid } from '../../core/errors.ts';
import { Believed } from './believed.ts';
import { DAY_MS, SummaryStore, type DayRow } from './summary.store.ts';

const DAYS = 7;
/** Days begin at whole quarters of an hour all over the world. */
const QUARTER_MS = 15 * 60_000;
const PAST_MS = 10 * 60_000;
const TODAY_MS = 2000;

interface Counted {
  rows: DayRow[];
  at: Date;
}

@Injectable()
export class SummaryService {
  private readonly today = new Believed<Counted>(TODAY_MS);
  private readonly past = new Believed<Counted>(PAST_MS);

  constructor(
    private readonly store: SummaryStore,
    private readonly clock: Clock,
  ) {}

  /** The last seven days of the actor's account; `asked` is when its today began. */
  async of(actor: Actor, asked: string | undefined): Promise<Summary> {
    const { OwnerId } = actor;
    const from = this.beginOf(asked);
    const since = daysBefore(from, DAYS - 1);
    const key = `${OwnerId} ${from.getTime()}`;
    const count = async (begin: Date, end: Date | null): Promise<Counted> => {
      const at = this.clock.now();
      return { rows: await this.store.days(OwnerId, from, begin, end), at };
    };
    const past = await this.past.get(key, () => count(since, from));
    const today = await this.today.get(key, () => count(from, null));
    const days = Array.from({ length: DAYS }, (_, i) =>
      dayOf([...past.rows, ...today.rows], from, DAYS - 1 - i),
    );
    const money = may(actor, 'billings.find') ? await this.moneyOf(OwnerId, days) : null;
    return { days, money, countedAt: today.at.toISOString() };
  }

  private async moneyOf(OwnerId: string, days: Summary['days']): Promise<Summary['money']> {
    const past = days.slice(0, -1);
    const average = past.reduce((sum, day) => sum + day.spent, 0) / past.length;
    const funds = average ? await this.store.funds(OwnerId) : 0;
    const daysLeft = average ? Math.max(0, Math.floor(funds / average)) : null;
    return { average: Math.round(average * 10_000) / 10_000, daysLeft };
  }

  private beginOf(asked: string | undefined): Date {
    const now = this.clock.now().getTime();
    const from = asked ? Date.parse(asked) : now - (now % DAY_MS);
    // Some days have 25 hours, and clocks differ.
    if (from > now + 3_600_000 || from < now - 26 * 3_600_000)
      throw invalid('from', 'range', 'the day that goes on is asked for');
    return new Date(from - (from % QUARTER_MS));
  }
}

const daysBefore = (from: Date, days: number) => new Date(from.getTime() - days * DAY_MS);

function dayOf(rows: DayRow[], from: Date, ago: number): Summary['days'][number] {
  const found = rows.find((row) => row.ago === ago);
  const { total = 0, delivered = 0, failed = 0, spent = 0 } = found ?? {};
  return { from: daysBefore(from, ago).toISOString(), total, delivered, failed, spent };
}
