import { Injectable } from '@nestjs/common';
import { batchSizeFor, parseMoney, spread } from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db, violated } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import { Events } from '../../../core/events/events.ts';
import { HandlesJob } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { uuidv7 } from '../../../core/uuid.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { TasksService, type OpenTask } from '../../tasks/tasks.service.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { BillingsService, isUncovered } from '../../billings/billings.service.ts';
import { InsertStore, type NewBatch, type NewSending } from '../insert.store.ts';
import { addressField, LIST_VARIABLE, planOf, type ChainPlan } from '../plan.ts';
import { PricingService } from '../pricing/pricing.service.ts';
import { RoutingService } from '../rules/routing.service.ts';
import { groupData, quote, type Quote } from '../pricing/quote.ts';
import { PRIORITIES } from '../priorities.ts';
import { AudienceStore, type Recipient } from './audience.store.ts';
import { skipReason } from './skip-reason.ts';

const CHUNK_SIZE = 1000;
/** After this many chunks the task queues again behind other tasks, so that one owner does not occupy a worker. */
const CHUNKS_PER_JOB = 4;

/** How a chunk is written: first optimistically, and after a conflict again with the option that avoids it. */
interface InsertMode {
  /** Locks the balance before it is read. */
  isLocked: boolean;
  /** Skips addresses that the task already has. */
  skipDuplicates: boolean;
}

/** Turns a task's audience into sendings, chunk by chunk: each chunk, its charge and the cursor are one transaction. */
@Injectable()
export class ExpandService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly tasks: TasksService,
    private readonly audience: AudienceStore,
    private readonly inserts: InsertStore,
    private readonly billings: BillingsService,
    private readonly pricing: PricingService,
    private readonly channels: ChannelsService,
    private readonly routing: RoutingService,
    private readonly shutdown: Shutdown,
    private readonly rules: AccountRulesService,
  ) {}

  @HandlesJob('task.expand')
  async expand({ taskId }: { taskId: string }): Promise<void> {
    for (let i = 0; i < CHUNKS_PER_JOB && !this.shutdown.isStopping; i++) {
      if (!(await this.chunk(taskId))) return;
    }
    this.jobs.enqueue('task.expand', { taskId });
  }

  /** True while the audience is not read to its end. A second worker on the same task waits for the row lock and continues after it. */
  private async chunk(taskId: string): Promise<boolean> {
    const mode: InsertMode = { isLocked: false, skipDuplicates: false };
    for (;;) {
      try {
        return await this.db.transaction(() => this.writeChunk(taskId, mode));
      } catch (error) {
        if (error instanceof TaskBlocked) return this.pause(taskId, error.reason);
        if (error instanceof AppError && error.code === 'unavailable')
          return this.pause(taskId, error.code);
        // Another transaction spent the money after this one had read the balance.
        if (isUncovered(error) && !mode.isLocked) mode.isLocked = true;
        else if (violated(error) === 'sendings_audience' && !mode.skipDuplicates)
          mode.skipDuplicates = true;
        else throw error;
      }
    }
  }

  /** A rule that held on intake no longer does: the task waits, with the reason, until a user resumes it. */
  private async pause(taskId: string, reason: string): Promise<false> {
    await this.db.transaction(async () => {
      const task = await this.tasks.lockRunning(taskId);
      if (task) await this.tasks.pauseFor(task, reason, this.clock.now());
    });
    return false;
  }

  private async writeChunk(
    taskId: string,
    { isLocked, skipDuplicates }: InsertMode,
  ): Promise<boolean> {
    const task = await this.tasks.lockRunning(taskId);
    if (!task || task.isExpanded) return false;
    const now = this.clock.now();
    const plan = planOf(task.id, task.data.sending);
    const blacklists = await this.checkAllowed(task, plan);
    const cursor = { segment: task.segment, id: task.cursorId, n: task.cursorN };
    const read = await this.audience.read(
      {
        taskId,
        segments: task.audience,
        excludedLists: task.data.recipients.exclude.lists,
        blacklists,
        lastContact: task.lastContact,
      },
      addressField(plan.attempts[0]!.type),
      plan.names,
      cursor,
      CHUNK_SIZE,
    );
    const outcomes = await this.decide(task, plan, read.recipients, now);
    await this.claim(task.OwnerId, outcomes);
    const paid = await this.countAffordable(task, outcomes, isLocked);
    const isShort = paid < outcomes.length;
    const rows = outcomes.slice(0, paid).flatMap((o) => ('row' in o ? [o] : []));
    // Addresses of one list are unique; typed ones and those of several lists need not be.
    const isUnique = !skipDuplicates && task.audience.length === 1 && 'list' in task.audience[0]!;
    const batches = await this.batches(task, plan, rows, now);
    const created = await this.inserts.insert(batches, now, isUnique);

    const isEnd = read.isEnd && !isShort;
    const next = !isShort ? read.next : paid === 0 ? cursor : read.cursors[paid - 1]!;
    const skipped = countReasons(outcomes.slice(0, paid));
    if (rows.length > created.length)
      skipped.duplicate = (skipped.duplicate ?? 0) + rows.length - created.length;
    const amount = created.reduce((sum, c) => sum + parseMoney(c.amount), 0n);
    await this.tasks.advance(
      task.id,
      { ...next, position: task.position + paid, isExpanded: isEnd },
      { total: created.length, amount, skipped },
      now,
    );
    if (isShort) await this.tasks.pauseFor(task, 'insufficient_funds', now);
    await this.billings.charge(created);
    if (created.length) {
      this.events.counted('sendings', 'created', task.OwnerId, task.id, created.length);
      this.jobs.enqueue('sendings.dispatch', {});
    }
    this.events.changed('tasks', 'updated', task.OwnerId, task.id);
    return !isEnd && !isShort;
  }

  /** Throws `TaskBlocked` when the account may no longer send this, or a list was removed. Returns the owner's active blacklists. */
  private async checkAllowed(task: OpenTask, { attempts }: ChainPlan): Promise<string[]> {
    const refusal = await this.rules.refusalOf(task.OwnerId, attempts);
    if (refusal) throw new TaskBlocked(refusal);
    const included = task.audience.flatMap((s) => ('list' in s ? [s.list] : []));
    const used = [...included, ...task.data.recipients.exclude.lists];
    const { blacklists, missing } = await this.audience.lists(task.OwnerId, used);
    if (missing) throw new TaskBlocked('list_removed');
    return blacklists;
  }

  /** An unconfirmed account may send to few addresses; beyond them its task waits. */
  private async claim(OwnerId: string, outcomes: Outcome[]): Promise<void> {
    const addresses = outcomes.flatMap((o) => ('row' in o ? [o.row.phone] : []));
    const allowed = await this.rules.claim(OwnerId, addresses);
    if (allowed?.includes(false)) throw new TaskBlocked('phone_not_confirmed');
  }

  /** A priced row or the reason to skip, for each recipient in order. */
  private async decide(
    task: OpenTask,
    plan: ChainPlan,
    recipients: Recipient[],
    now: Date,
  ): Promise<Outcome[]> {
    const pricing = await this.pricing.of(task.OwnerId);
    const keepsList = plan.attempts
      .slice(1)
      .some((a) => pricing.book.dependsOnLists(a.type, a.sender));
    const seen = new Set<string>();
    return recipients.map((recipient, position): Outcome => {
      const reason = skipReason(recipient, seen);
      if (reason) return { reason };
      const address = recipient.address!;
      seen.add(address);
      const priced = quote(
        plan.attempts[0]!,
        address,
        recipient.values,
        recipient.list ? [recipient.list] : [],
        pricing,
      );
      if (priced.amount === null) return { reason: 'noPrice' };
      return { position, row: newRow(task, plan, recipient, address, priced, keepsList, now) };
    });
  }

  /** How many of the outcomes, from the first on, balance and overdraft cover. */
  private async countAffordable(
    task: OpenTask,
    outcomes: Outcome[],
    isLocked: boolean,
  ): Promise<number> {
    const available = await this.billings.available([task.OwnerId], isLocked);
    let remaining = available.get(task.OwnerId) ?? 0n;
    const end = outcomes.findIndex((o) => 'row' in o && (remaining -= o.row.quote.amount!) < 0n);
    return end === -1 ? outcomes.length : end;
  }

  /** Without a stretch as few batches as the driver allows; with one as many as submit the task evenly over it. */
  private async batches(
    task: OpenTask,
    plan: ChainPlan,
    rows: PricedRow[],
    now: Date,
  ): Promise<NewBatch[]> {
    const { type } = plan.attempts[0]!;
    const channel = await this.routing.channelFor(task.OwnerId, type);
    const { maxBatch } = await this.channels.driver(channel);
    const { stretchSeconds } = task;
    const total = Math.max(task.expected, 1);
    const size = batchSizeFor({ total, stretchSeconds, max: Math.min(CHUNK_SIZE, maxBatch) });
    const batches: NewBatch[] = [];
    for (let i = 0; i < rows.length; i += size) {
      const part = rows.slice(i, i + size);
      const position = task.position + part[0]!.position;
      const dueAt = stretchSeconds
        ? spread({ start: task.startedAt!, until: stretchSeconds / 3600, position, total })
        : now;
      batches.push({
        taskId: task.id,
        OwnerId: task.OwnerId,
        channel,
        type,
        attempt: 0,
        priority: PRIORITIES.bulk,
        dueAt,
        rows: part.map(({ row }) => row),
      });
    }
    return batches;
  }
}

/** The task pauses, with this reason, until a user resumes it. */
class TaskBlocked extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

interface PricedRow {
  /** Index in the chunk. */
  position: number;
  row: NewSending;
}
type Outcome = PricedRow | { reason: string };

function newRow(
  task: OpenTask,
  plan: ChainPlan,
  recipient: Recipient,
  address: string,
  priced: Quote,
  keepsList: boolean,
  now: Date,
): NewSending {
  return {
    id: uuidv7(now),
    OwnerId: task.OwnerId,
    groupId: task.id,
    chainId: null,
    isLast: plan.attempts.length === 1,
    sender: plan.attempts[0]!.sender,
    phone: address,
    quote: priced,
    vars: varsFor(plan, recipient, keepsList),
    data: groupData(priced),
  };
}

/** Stored for the fallbacks of a recipient: values of their variables, and the list where a price depends on it. */
function varsFor(
  { fallbackNames }: ChainPlan,
  { values, list }: Recipient,
  keepsList: boolean,
): object | null {
  const vars: Record<string, string | null> = {};
  for (const name of fallbackNames) vars[name] = values[name] ?? null;
  if (keepsList && list) vars[LIST_VARIABLE] = list;
  return Object.keys(vars).length ? vars : null;
}

function countReasons(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const o of outcomes) if ('reason' in o) counts[o.reason] = (counts[o.reason] ?? 0) + 1;
  return counts;
}
