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
import { AudienceStore, type Recipient } from './audience.store.ts';
import { InsertStore, isUncovered, type NewBatch, type NewSending } from '../insert.store.ts';
import { addressField, LIST, planOf, type ChainPlan } from '../plan.ts';
import { PricingService } from '../pricing/pricing.service.ts';
import { RoutingService } from '../rules/routing.service.ts';
import { groupData, quote, type Quote } from '../pricing/quote.ts';

const CHUNK = 1000;
/** A tenant's chunks at a time; then the others have their turn. */
const CHUNKS_PER_TURN = 4;

/** How carefully a chunk is written: the quick way first, and again where the database objects. */
interface How {
  /** Behind the balance's lock. */
  isLocked: boolean;
  /** Passing over phones that the task has already. */
  mayRepeat: boolean;
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
    private readonly pricing: PricingService,
    private readonly channels: ChannelsService,
    private readonly routing: RoutingService,
    private readonly shutdown: Shutdown,
    private readonly rules: AccountRulesService,
  ) {}

  @HandlesJob('task.expand')
  async expand({ taskId }: { taskId: string }): Promise<void> {
    for (let i = 0; i < CHUNKS_PER_TURN && !this.shutdown.isStopping; i++) {
      if (!(await this.chunk(taskId))) return;
    }
    this.jobs.enqueue('task.expand', { taskId });
  }

  /** True while there is more. Another worker at the same task waits for the row, and goes on behind it. */
  private async chunk(taskId: string): Promise<boolean> {
    const how: How = { isLocked: false, mayRepeat: false };
    for (;;) {
      try {
        return await this.db.transaction(() => this.writeChunk(taskId, how));
      } catch (error) {
        if (error instanceof TaskBlocked) return this.pause(taskId, error.reason);
        if (error instanceof AppError && error.code === 'unavailable')
          return this.pause(taskId, error.code);
        // Somebody else took the money between our look and our charge: look again behind the balance's lock.
        if (isUncovered(error) && !how.isLocked) how.isLocked = true;
        else if (violated(error) === 'sendings_audience' && !how.mayRepeat) how.mayRepeat = true;
        else throw error;
      }
    }
  }

  /** What was allowed when it was asked for is not any more: the task waits, with the reason, for somebody to resume it. */
  private async pause(taskId: string, reason: string): Promise<false> {
    await this.db.transaction(async () => {
      const task = await this.tasks.lockRunning(taskId);
      if (task) await this.tasks.pauseFor(task, reason, this.clock.now());
    });
    return false;
  }

  private async writeChunk(taskId: string, { isLocked, mayRepeat }: How): Promise<boolean> {
    const task = await this.tasks.lockRunning(taskId);
    if (!task || task.isExpanded) return false;
    const now = this.clock.now();
    const plan = planOf(task.id, task.data.sending);
    const blacklists = await this.stillAllowed(task, plan);
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
      CHUNK,
    );
    const outcomes = await this.decide(task, plan, read.recipients, now);
    await this.claim(task.OwnerId, outcomes);
    const paid = await this.affordable(task, outcomes, isLocked);
    const isShort = paid < outcomes.length;
    const rows = outcomes.slice(0, paid).flatMap((o) => ('row' in o ? [o] : []));
    // The phones of one list differ; those of several, or typed ones, need not.
    const isUnique = !mayRepeat && task.audience.length === 1 && 'list' in task.audience[0]!;
    const batches = await this.batches(task, plan, rows, now);
    const created = await this.inserts.insert(batches, now, isUnique);

    const isEnd = read.isEnd && !isShort;
    const place = !isShort ? read.next : paid === 0 ? cursor : read.places[paid - 1]!;
    const skipped = countReasons(outcomes.slice(0, paid));
    if (rows.length > created.length)
      skipped.duplicate = (skipped.duplicate ?? 0) + rows.length - created.length;
    const amount = created.reduce((sum, c) => sum + parseMoney(c.amount), 0n);
    await this.tasks.advance(
      task.id,
      { ...place, position: task.position + paid, isExpanded: isEnd },
      { total: created.length, amount, skipped },
      now,
    );
    if (isShort) await this.tasks.pauseFor(task, 'insufficient_funds', now);
    await this.inserts.charge(created);
    if (created.length) {
      this.events.counted('sendings', 'created', task.OwnerId, task.id, created.length);
      this.jobs.enqueue('sendings.dispatch', {});
    }
    this.events.changed('tasks', 'updated', task.OwnerId, task.id);
    return !isEnd && !isShort;
  }

  /** The account may still send this from these names, and the lists are there: those to leave out most of all. Says which lists are blacklists. */
  private async stillAllowed(task: OpenTask, { attempts }: ChainPlan): Promise<string[]> {
    const refusal = await this.rules.refusalOf(task.OwnerId, attempts);
    if (refusal) throw new TaskBlocked(refusal);
    const included = task.audience.flatMap((s) => ('list' in s ? [s.list] : []));
    const named = [...included, ...task.data.recipients.exclude.lists];
    const { blacklists, missing } = await this.audience.lists(task.OwnerId, named);
    if (missing) throw new TaskBlocked('list_removed');
    return blacklists;
  }

  /** An unconfirmed account reaches few: beyond them it waits. */
  private async claim(OwnerId: string, outcomes: Outcome[]): Promise<void> {
    const addresses = outcomes.flatMap((o) => ('row' in o ? [o.row.phone] : []));
    const reached = await this.rules.claim(OwnerId, addresses);
    if (reached?.includes(false)) throw new TaskBlocked('phone_not_confirmed');
  }

  /** What becomes of each recipient, in their order: a priced row, or the reason why nothing is sent. */
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
    return recipients.map((recipient, place): Outcome => {
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
      return { place, row: newRow(task, plan, recipient, address, priced, keepsList, now) };
    });
  }

  /** How many of the outcomes, from the first on, the balance and the overdraft cover now. */
  private async affordable(
    task: OpenTask,
    outcomes: Outcome[],
    isLocked: boolean,
  ): Promise<number> {
    let left = (await this.inserts.available([task.OwnerId], isLocked)).get(task.OwnerId) ?? 0n;
    const end = outcomes.findIndex((o) => 'row' in o && (left -= o.row.quote.amount!) < 0n);
    return end === -1 ? outcomes.length : end;
  }

  /** Without a stretch as few batches as the driver allows; within one as many as it takes to hand them over evenly. */
  private async batches(
    task: OpenTask,
    plan: ChainPlan,
    rows: Written[],
    now: Date,
  ): Promise<NewBatch[]> {
    const { type } = plan.attempts[0]!;
    const channel = await this.routing.channelFor(task.OwnerId, type);
    const { maxBatch } = await this.channels.driver(channel);
    const { stretchSeconds } = task;
    const total = Math.max(task.expected, 1);
    const size = batchSizeFor({ total, stretchSeconds, max: Math.min(CHUNK, maxBatch) });
    const batches: NewBatch[] = [];
    for (let i = 0; i < rows.length; i += size) {
      const part = rows.slice(i, i + size);
      const position = task.position + part[0]!.place;
      const dueAt = stretchSeconds
        ? spread({ start: task.startedAt!, until: stretchSeconds / 3600, position, total })
        : now;
      batches.push({
        taskId: task.id,
        OwnerId: task.OwnerId,
        channel,
        type,
        attempt: 0,
        priority: 1,
        dueAt,
        rows: part.map((w) => w.row),
      });
    }
    return batches;
  }
}

/** A reason for which a task pauses until somebody has done something about it. */
class TaskBlocked extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

interface Written {
  place: number;
  row: NewSending;
}
type Outcome = Written | { reason: string };

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

/** What the fallbacks of a recipient will need: values of their variables, and the list where a price asks for it. */
function varsFor(
  { laterNames }: ChainPlan,
  { values, list }: Recipient,
  keepsList: boolean,
): object | null {
  const vars: Record<string, string | null> = {};
  for (const name of laterNames) vars[name] = values[name] ?? null;
  if (keepsList && list) vars[LIST] = list;
  return Object.keys(vars).length ? vars : null;
}

function countReasons(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const o of outcomes) if ('reason' in o) counts[o.reason] = (counts[o.reason] ?? 0) + 1;
  return counts;
}

/** Why a recipient gets nothing; null when it gets a message. `seen` holds the addresses before it. */
export function skipReason(recipient: Recipient, seen: ReadonlySet<string>): string | null {
  if (!recipient.address) return 'noAddress';
  if (recipient.isExcluded) return 'excluded';
  if (recipient.isBlacklisted) return 'blacklisted';
  return seen.has(recipient.address) ? 'duplicate' : null;
}
