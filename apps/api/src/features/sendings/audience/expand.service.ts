import { Injectable } from '@nestjs/common';
import {
  isSuppressible,
  parseMoney,
  typeCode,
  validUntilOf,
  type SendingType,
} from '@heliograph/domain';
import { EFFECTS } from '@heliograph/contract';
import { ActingTokens } from '../../../core/auth/acting-tokens.ts';
import { Clock } from '../../../core/clock.ts';
import { Db, violated } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import { Events } from '../../../core/events/events.ts';
import { HandlesJob } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { ClickCodesService } from '../../links/click-codes.service.ts';
import { UnsubscribeLinksService } from '../../suppressions/unsubscribe-links.service.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { TasksService, type OpenTask } from '../../tasks/tasks.service.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { FrequencyService, type FrequencyClaim } from '../rules/frequency.service.ts';
import { ChargesService, isUncovered } from '../../billings/charges.service.ts';
import { AwaitedLookupsService, type Asking, type Claimed } from '../awaited-lookups.service.ts';
import { InsertStore, type NewBatch, type NewSending } from '../insert.store.ts';
import {
  addressField,
  planOf,
  typesAfterOptOut,
  type ChainPlan,
  type StoredSending,
} from '../plan.ts';
import { pay } from '../pricing/pay.ts';
import { PricingService } from '../pricing/pricing.service.ts';
import { QuietService } from '../quiet.service.ts';
import { routingKey, type Routing } from '../routing.ts';
import { RoutingService } from '../rules/routing.service.ts';
import { AudienceStore } from './audience.store.ts';
import {
  batchesOfChunk,
  countReasons,
  decide,
  payInOrder,
  withoutKnown,
  type Chunk,
  type Outcome,
  type PricedRow,
} from './chunk.ts';

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
    private readonly charges: ChargesService,
    private readonly pricing: PricingService,
    private readonly channels: ChannelsService,
    private readonly routing: RoutingService,
    private readonly shutdown: Shutdown,
    private readonly rules: AccountRulesService,
    private readonly frequency: FrequencyService,
    private readonly lookups: AwaitedLookupsService,
    private readonly links: UnsubscribeLinksService,
    private readonly clickCodes: ClickCodesService,
    private readonly quiet: QuietService,
    private readonly settings: SettingsService,
    private readonly tokens: ActingTokens,
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
        if (error instanceof AppError && isLackOfChannel(error))
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
    const { blacklists, hasOptOuts } = await this.checkAllowed(task, plan);
    const { type } = plan.attempts[0]!;
    const cursor = { segment: task.segment, id: task.cursorId, n: task.cursorN };
    const { include, exclude } = task.data.recipients;
    const { locale } = await this.settings.sendingRules(task.OwnerId);
    const read = await this.audience.read(
      {
        OwnerId: task.OwnerId,
        taskId,
        segments: task.audience,
        savedSegments: { included: include.segments ?? [], excluded: exclude.segments ?? [] },
        membership: { at: task.startedAt ?? now, ...(await this.settings.readingOf(task.OwnerId)) },
        meanwhile: task.originId
          ? await this.tasks.meanwhile({
              taskId: task.originId,
              audience: task.originAudience ?? 'failed',
            })
          : null,
        excludedLists: exclude.lists,
        blacklists,
        optOut:
          hasOptOuts && isSuppressible(type)
            ? {
                OwnerId: task.OwnerId,
                type: typeCode(type),
                next: typesAfterOptOut(plan),
              }
            : null,
        slice: task.data.sending.variants?.slice ?? null,
        lastContact: task.lastContact,
        locale,
      },
      addressField(type),
      plan.names,
      cursor,
      CHUNK_SIZE,
    );
    const { live, clicks } = task.data.sending as StoredSending;
    const pricing = await this.pricing.of(task.OwnerId, { live });
    const link = await this.links.link();
    const codeOf = clicks ? await this.clickCodes.codesOf(clicks.task) : null;
    const quoted = decide({ task, plan, pricing, now, link, codeOf }, read.recipients);
    const { decided, capped } =
      live === false ? { decided: quoted, capped: [] } : await this.cap(task, type, quoted, now);
    const counted = live === false ? [] : await this.claim(task.OwnerId, decided, now);
    const chunk = { task, plan, now };
    const priced = decided.flatMap((o) => ('row' in o ? [o.row] : []));
    const routeOf = await this.routeOf(chunk, priced);
    const lookups = await this.claimLookups(chunk, priced, routeOf);
    const { outcomes, funds, paid, refusal } = await this.pay(task, type, decided, {
      now,
      isLocked,
    });
    const isShort = refusal !== null;
    const rows = outcomes.slice(0, paid).flatMap((o) => ('row' in o ? [o] : []));
    await this.lookups.pay(
      lookups,
      rows.map(({ row }) => row),
      funds,
    );
    // Addresses of one list are unique; typed ones and those of several lists need not be.
    const isUnique = !skipDuplicates && task.audience.length === 1 && 'list' in task.audience[0]!;
    const batches = await this.batches(chunk, rows, routeOf, lookups);
    const inserted = await this.inserts.insert(
      [...batches, ...(await this.lookups.batches(lookups, now))],
      now,
      isUnique,
    );
    await this.lookups.wait(lookups, batches, inserted);
    const created = inserted.filter(({ id }) => !lookups.added.has(id));
    const stored = new Set(created.map(({ id }) => id));
    if (clicks) {
      const ids = outcomes.slice(0, paid).map((o) => ('row' in o ? o.row.id : null));
      await this.clickCodes.addRecipients(clicks.task, task.position, ids);
    }
    const unsent = counted.filter(({ id }) => !stored.has(id));
    await this.rules.giveBack(unsent, now);
    await this.frequency.giveBack(capped.filter(({ id }) => !stored.has(id)));

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
    if (refusal) await this.tasks.pauseFor(task, refusal, now);
    await this.charges.charge(inserted);
    await this.charges.notifyReached(funds);
    if (created.length) {
      this.events.counted('sendings', 'created', task.OwnerId, task.id, created.length);
      this.jobs.enqueue('sendings.dispatch', {});
    }
    this.events.changed('tasks', 'updated', task.OwnerId, task.id);
    return !isEnd && !isShort;
  }

  /** The way of each message, which is chosen once. */
  private async routeOf(
    { task, plan }: Chunk,
    rows: NewSending[],
  ): Promise<(row: NewSending) => Routing> {
    const { type, sender } = plan.attempts[0]!;
    const { OwnerId } = task;
    const { live } = task.data.sending;
    const traffic = { OwnerId, type, sender, kind: 'bulk', live } as const;
    const choose = await this.routing.forNew(traffic, () => rows.map(({ phone }) => phone));
    const chosen = new Map<string, Routing>();
    return ({ id, phone }) => {
      const routing = chosen.get(id) ?? choose({ id, address: phone });
      chosen.set(id, routing);
      return routing;
    };
  }

  private async claimLookups(
    { task, now }: Chunk,
    rows: NewSending[],
    routeOf: (row: NewSending) => Routing,
  ): Promise<Claimed> {
    const isWanted = await this.lookups.isWanted(task.OwnerId);
    const asking = isWanted ? rows.filter((row) => routeOf(row).isOpen) : [];
    const validUntil = validUntilOf(task.data.sending.schedule?.validUntil, now);
    return this.lookups.claim(
      asking.map((row): Asking => ({ ...row, kind: 'bulk', validUntil })),
      now,
    );
  }

  /** Recipients of one channel share batches; those that wait for look-ups have their own. */
  private async batches(
    chunk: Chunk,
    rows: PricedRow[],
    routeOf: (row: NewSending) => Routing,
    lookups: Claimed,
  ): Promise<NewBatch[]> {
    const waitOf = await this.quiet.of(chunk.task.OwnerId, {
      type: chunk.plan.attempts[0]!.type,
      isBulk: true,
    });
    const ways = Map.groupBy(rows, ({ row }) => {
      const until = lookups.of.get(row.id)?.until.getTime();
      return `${routingKey(routeOf(row))} ${until}`;
    });
    const batches: NewBatch[] = [];
    for (const own of ways.values()) {
      const [{ row }] = own as [PricedRow];
      const routing = routeOf(row);
      // Batches for a channel whose settings are not valid are split when they are.
      const facts = await this.channels.factsOf(routing.channel);
      const max = {
        messages: Math.min(CHUNK_SIZE, facts?.maxBatch ?? CHUNK_SIZE),
        segments: facts?.maxSegments ?? Infinity,
      };
      const waitsUntil = lookups.of.get(row.id)?.until;
      batches.push(...batchesOfChunk(chunk, own, { routing, max, waitOf, waitsUntil }));
    }
    return batches;
  }

  /**
   * Recipients of earlier chunks cost nothing. They are looked up only when the funds or the packages do not cover the chunk with them, or
   * a volume step begins within it.
   */
  private async pay(
    task: OpenTask,
    type: SendingType,
    decided: Outcome[],
    { now, isLocked }: { now: Date; isLocked: boolean },
  ) {
    const { live } = task.data.sending;
    const paidFor = async (outcomes: Outcome[]) => {
      const funds = await this.charges.funds([task.OwnerId], () => [now], isLocked);
      const paid = payInOrder(outcomes, (quote) =>
        live === false ? { quote, refusal: null } : pay(funds, task, { type, quote, at: now }),
      );
      return { funds, ...paid };
    };
    const first = await paidFor(decided);
    const isOpen = first.funds.isShortOfUnits(task.OwnerId) || first.funds.volumes.hasCrossed;
    if (first.refusal === null && !isOpen) return first;
    const addresses = decided.flatMap((o) => ('row' in o ? [o.row.phone] : []));
    const known = await this.audience.reached(task.id, addresses);
    return known.size ? paidFor(withoutKnown(decided, known)) : first;
  }

  /** Throws `TaskBlocked` when the account may no longer send this, or a list was removed. Returns who gets no messages. */
  private async checkAllowed(
    task: OpenTask,
    { attempts }: ChainPlan,
  ): Promise<{ blacklists: string[]; hasOptOuts: boolean }> {
    const refusal = await this.rules.refusalOf(task.OwnerId, attempts);
    if (refusal) throw new TaskBlocked(refusal);
    const { OwnerId, tokenId: TokenId } = task;
    if (!(await this.tokens.mayAct({ OwnerId, TokenId }, EFFECTS.task.messages)))
      throw new TaskBlocked('token_ended');
    const included = task.audience.flatMap((s) => ('list' in s ? [s.list] : []));
    const used = [...included, ...task.data.recipients.exclude.lists];
    const { missing, ...spared } = await this.audience.lists(task.OwnerId, used);
    if (missing) throw new TaskBlocked('list_removed');
    return spared;
  }

  /** Skips persons who have had as many messages of the account as its frequency cap allows. Returns the messages that were counted. */
  private async cap(
    task: OpenTask,
    type: SendingType,
    outcomes: Outcome[],
    now: Date,
  ): Promise<{ decided: Outcome[]; capped: FrequencyClaim[] }> {
    const messages = outcomes.flatMap((o) => ('row' in o ? [claimOf(o.row, type)] : []));
    const { counted, refused } = await this.frequency.claim(messages, now);
    if (!refused.size) return { decided: outcomes, capped: counted };
    // It may be the message of an earlier chunk of the same task that counts.
    const addresses = messages.flatMap(({ id, address }) => (refused.has(id) ? [address] : []));
    const known = await this.audience.reached(task.id, addresses);
    const decided = outcomes.map((o): Outcome => {
      if (!('row' in o) || !refused.has(o.row.id)) return o;
      return { reason: known.has(o.row.phone) ? 'duplicate' : 'frequencyCap' };
    });
    return { decided, capped: counted };
  }

  /** An unconfirmed account may send to few addresses; beyond them its task waits. Returns the messages that were counted. */
  private async claim(OwnerId: string, outcomes: Outcome[], now: Date) {
    const messages = outcomes.flatMap((o) =>
      'row' in o ? [{ id: o.row.id, OwnerId, address: o.row.phone }] : [],
    );
    const claims = await this.rules.claim(messages, now);
    if (claims.includes('refused')) throw new TaskBlocked('phone_not_confirmed');
    return messages.filter((_, i) => claims[i] === 'counted');
  }
}

const claimOf = ({ id, OwnerId, phone, quote }: NewSending, type: SendingType): FrequencyClaim => ({
  id,
  OwnerId,
  address: phone,
  type,
  group: quote.group,
  isBulk: true,
});

/** No channel takes the messages of a task now. */
const isLackOfChannel = ({ code }: AppError) =>
  code === 'unavailable' || code === 'sender_not_registered';

/** The task pauses, with this reason, until a user resumes it. */
class TaskBlocked extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}
