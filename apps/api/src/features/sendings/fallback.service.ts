import { Injectable } from '@nestjs/common';
import { statusOf, type Money, type SendingErrorCode } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db, violated } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { HandlesJob, Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Log } from '../../core/log.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { ChannelsService } from '../channels/channels.service.ts';
import { TariffsService } from '../tariffs/tariffs.service.ts';
import { TasksService } from '../tasks/tasks.service.ts';
import { AudienceStore } from './audience.store.ts';
import { InsertStore, isUncovered, type NewBatch, type NewSending } from './insert.store.ts';
import { operators } from './operators.ts';
import { addressField, addressOf, LIST } from './plan.ts';
import { quote } from './quote.ts';
import { planOfAttempt, ReportsService, TRIGGERS } from './reports.service.ts';
import { ReportsStore, type AttemptRow } from './reports.store.ts';

const SOME = 1000;
/** Until a signal is looked at again that could not be worked off. */
const LATER_MS = 60_000;

/** Signals whose time has come, the oldest first. A paused task's wait; a stopped one's are dropped with it. */
const DUE = `select f.sending_id from fallback_signals f left join tasks t on t.id = f.task_id
  where f.due_at <= $1 and (f.task_id is null or t.state in ('running', 'completed')) order by f.due_at`;

interface Start {
  from: AttemptRow;
  /** That takes it; where none does, the one that took the attempt before. */
  channel: string;
  row: NewSending;
  /** Why it cannot be sent; it is kept as failed. */
  refusal: SendingErrorCode | null;
}

/** Starts the next attempts of chains: new sendings with the same chainId, charged like any other. */
@Injectable()
export class FallbackService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly store: ReportsStore,
    private readonly reports: ReportsService,
    private readonly inserts: InsertStore,
    private readonly audience: AudienceStore,
    private readonly tariffs: TariffsService,
    private readonly channels: ChannelsService,
    private readonly tasks: TasksService,
  ) {}

  @HandlesJob('sendings.fallback')
  async start(): Promise<void> {
    while (await this.turn()) {
      // Until none is due.
    }
  }

  @Sweeps(500)
  async sweep(): Promise<void> {
    const due = await this.db.query(`${DUE} limit 1`, [this.clock.now()]);
    if (due.length) this.jobs.ring('sendings.fallback', {});
  }

  private async turn(): Promise<boolean> {
    try {
      return await this.take(SOME);
    } catch (error) {
      this.log.error({ err: error }, 'fallbacks could not be started together');
      return this.eachForItself();
    }
  }

  /** One that cannot be started must not hold back the others: it waits, and is tried again. */
  private async eachForItself(): Promise<boolean> {
    for (let i = 0; i < SOME; i++) {
      try {
        if (!(await this.take(1))) return false;
      } catch (error) {
        const now = this.clock.now();
        const [late] = await this.db.query<{ id: string }>(
          `update fallback_signals set due_at = $2 where sending_id in (${DUE} limit 1)
           returning sending_id as id`,
          [now, new Date(now.getTime() + LATER_MS)],
        );
        this.log.error({ err: error, sendingId: late?.id }, 'a fallback could not be started');
      }
    }
    return true;
  }

  private async take(limit: number): Promise<boolean> {
    try {
      return await this.db.transaction(() => this.some(limit, false));
    } catch (error) {
      if (!isUncovered(error) && !isRepeated(error)) throw error;
      return this.db.transaction(() => this.some(limit, true));
    }
  }

  /** First in the hope that money and chains are nobody else's now; where they were (`isCareful`), behind locks and passing repeats over. */
  private async some(limit: number, isCareful: boolean): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.db.query<{ id: string; trigger: number }>(
      `delete from fallback_signals where sending_id in (${DUE} limit $2 for update of f skip locked)
       returning sending_id as id, trigger`,
      [now, limit],
    );
    if (!due.length) return false;
    const triggers = new Map(due.map((d) => [d.id, d.trigger]));
    const rows = await this.store.attempts(due.map((d) => d.id));
    const stands = rows.filter(
      (row) => !row.hasSuccessor && !isOvertaken(row, triggers.get(row.id)!),
    );
    // Counters come before balances: whoever holds these all the time needs those first.
    if (isCareful)
      await this.tasks.holdCounters([...new Set(stands.flatMap((row) => row.taskId ?? []))]);
    const starts = await this.prepare(stands, now, isCareful);
    const paid = starts.filter((s) => !s.refusal);
    const refused = starts.filter((s) => s.refusal);
    const created = await this.inserts.insert(
      [...this.batches(paid, now, false), ...this.batches(refused, now, true)],
      now,
      !isCareful,
    );
    const there = new Set(created.map((c) => c.id));
    await this.reports.apply(
      refused
        .filter((s) => there.has(s.row.id))
        .map((s) => ({ id: s.row.id, status: 'failed', code: s.refusal!, at: now })),
    );
    await this.addAmounts(starts, there);
    await this.inserts.charge(created);
    for (const { from, row } of starts)
      this.events.counted('sendings', 'created', row.OwnerId, from.groupId, 1);
    this.jobs.ring('sendings.dispatch', {});
    return due.length === limit;
  }

  /** Renders, prices and reckons whether it can be paid, owner by owner. */
  private async prepare(rows: AttemptRow[], now: Date, isLocked: boolean): Promise<Start[]> {
    const owners = rows.map((r) => r.OwnerId);
    const barred = await this.barred(rows);
    const left = await this.inserts.available(owners, isLocked);
    const starts: Start[] = [];
    for (const from of rows) {
      const plan = planOfAttempt(from);
      const attempt = plan.attempts[from.attempt + 1]!;
      const values = { ...from.vars };
      const list = values[LIST];
      const taker = await this.channels.taker(attempt.type);
      const address = nextAddress(from);
      const priced = quote(attempt, address ?? from.phone, values, list ? [list] : [], {
        book: await this.tariffs.priceBook(from.OwnerId),
        operators: operators(),
      });
      const amount = priced.amount ?? 0n;
      const funds = left.get(from.OwnerId) ?? 0n;
      const refusal = !address
        ? 'invalid_recipient'
        : barred.has(from.id)
          ? 'blacklisted'
          : !taker
            ? 'channel_down'
            : priced.amount === null
              ? 'no_price'
              : amount > funds
                ? 'insufficient_funds'
                : null;
      if (!refusal) left.set(from.OwnerId, funds - amount);
      starts.push({
        from,
        channel: taker?.name ?? from.channel,
        refusal,
        row: {
          id: uuidv7(now),
          OwnerId: from.OwnerId,
          groupId: from.groupId,
          chainId: from.chain,
          isLast: from.attempt + 2 >= plan.attempts.length,
          sender: attempt.sender,
          phone: address ?? from.phone,
          quote: refusal ? { ...priced, amount: 0n, price: [] } : priced,
          vars: null,
          data: from.taskId ? null : { payload: attempt.payload },
        },
      });
    }
    return starts;
  }

  /** Those that go on to another kind of address than before, which their owner has blacklisted. */
  private async barred(rows: AttemptRow[]): Promise<Set<string>> {
    const others = rows.flatMap((row) => {
      const address = nextAddress(row);
      return address && address !== row.phone
        ? [{ id: row.id, OwnerId: row.OwnerId, address }]
        : [];
    });
    if (!others.length) return new Set();
    const answers = await this.audience.areBlacklisted(others);
    return new Set(others.filter((_, i) => answers[i]).map(({ id }) => id));
  }

  /** Attempts of one task and turn go together; a single's chain goes alone. */
  private batches(starts: Start[], now: Date, isDropped: boolean): NewBatch[] {
    const byKind = new Map<string, Start[]>();
    for (const start of starts) {
      const key = `${start.from.taskId ?? start.from.chain} ${start.from.attempt} ${start.channel}`;
      const kind = byKind.get(key);
      if (kind) kind.push(start);
      else byKind.set(key, [start]);
    }
    const batches: NewBatch[] = [];
    for (const kind of byKind.values()) {
      const { from, channel } = kind[0]!;
      const { type } = planOfAttempt(from).attempts[from.attempt + 1]!;
      batches.push({
        taskId: from.taskId,
        OwnerId: from.OwnerId,
        channel,
        type,
        attempt: from.attempt + 1,
        lane: from.taskId ? 1 : 0,
        dueAt: now,
        plan: from.taskId ? undefined : from.plan,
        isDropped,
        rows: kind.map((s) => s.row),
      });
    }
    return batches;
  }

  private async addAmounts(starts: Start[], there: Set<string>): Promise<void> {
    const amounts = new Map<string, Money>();
    for (const { from, row } of starts) {
      if (from.taskId && there.has(row.id))
        amounts.set(from.taskId, (amounts.get(from.taskId) ?? 0n) + row.quote.amount!);
    }
    await this.tasks.outcomes(
      [...amounts].map(([id, amount]) => ({ id, completed: 0, errored: 0, amount })),
    );
  }
}

/** The successor exists: another signal of its forerunner was quicker. */
const isRepeated = (error: unknown): boolean => violated(error) === 'sendings_chain';

/** A failure that a late delivery has overtaken starts nothing any more. */
function isOvertaken(row: AttemptRow, trigger: number): boolean {
  const status = statusOf(row.status);
  return (
    trigger === TRIGGERS.status &&
    (status === 'delivered' || status === 'seen') &&
    !isWanted(row, status)
  );
}

function isWanted(row: AttemptRow, status: 'delivered' | 'seen'): boolean {
  const statuses = planOfAttempt(row).triggers[row.attempt]?.onStatus ?? [];
  return statuses.some(
    (s) => s === 'sent' || s === 'processing' || s === 'delivered' || s === status,
  );
}

/** Where the next attempt goes: the chain's own address, or the contact's other one where that is of another kind. */
function nextAddress(row: AttemptRow): string | null {
  const { type } = planOfAttempt(row).attempts[row.attempt + 1]!;
  const field = addressField(type);
  if ((field === 'email') === row.phone.includes('@')) return row.phone;
  return addressOf(type, row.vars?.[field] ?? '');
}
