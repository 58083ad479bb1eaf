import { Injectable } from '@nestjs/common';
import {
  typeOf,
  type RulesRefusal,
  type SendingErrorCode,
  type SendingType,
} from '@heliograph/domain';
import {
  ChannelDown,
  UnknownOutcome,
  type SubmitResult,
  type OpenDriver,
} from '../../../channels/channel.ts';
import { Clock } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { Events } from '../../../core/events/events.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Log, withIds } from '../../../core/log.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { ChannelStatesService } from '../../channels/channel-states.service.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { TasksService } from '../../tasks/tasks.service.ts';
import { AccountRulesService } from '../rules/account-rules.service.ts';
import { CarrierReportsService } from '../reports/carrier-reports.service.ts';
import { DispatchStore, type DueRow, type Leased } from './dispatch.store.ts';
import { TEST_PRIORITY } from '../insert.store.ts';
import { PollService, type Answer } from '../reports/poll.service.ts';
import { messagesOf, planOfBatch, retryAt, timeoutAfter } from './outgoing.ts';
import { ReportsService, type Report } from '../reports/reports.service.ts';

const after = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000);
/** A channel that takes nothing for this long fails what waits for it. */
const DOWN_FOR_SECONDS = 24 * 3600;
/** What is in doubt is sent again so often, and at such distances at the end: for about an hour in all. */
const RESENT_AT_MOST = 20;
const RESENT_EVERY_SECONDS = 300;
/** So much of a lease must be left for a driver to be called at all. */
const MARGIN = 0.25;

/** What every line about a batch carries. */
const idsOf = ({ id, taskId, channel }: Leased) => ({
  batchId: id,
  ...(taskId && { taskId }),
  channel,
});

/** The one send loop: leased -> handing, committed before the driver is called -> handed, or in doubt. */
@Injectable()
export class DispatchService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly store: DispatchStore,
    private readonly channels: ChannelsService,
    private readonly states: ChannelStatesService,
    private readonly reports: ReportsService,
    private readonly tasks: TasksService,
    private readonly carriers: CarrierReportsService,
    private readonly polls: PollService,
    private readonly metrics: Metrics,
    private readonly shutdown: Shutdown,
    private readonly rules: AccountRulesService,
  ) {}

  /** Hands over until nothing is due, or the worker is to end: what is due is another's then. */
  @HandlesJob('sendings.dispatch')
  async dispatch(): Promise<void> {
    while (!this.shutdown.isStopping) {
      const now = this.clock.now();
      const batch = await this.store.lease(now, after(now, this.config.LEASE_SECONDS));
      if (!batch) return;
      await withIds(idsOf(batch), () =>
        this.submit(batch).catch((error: unknown) =>
          this.log.error({ err: error }, 'a batch was left to its lease'),
        ),
      );
    }
    this.jobs.enqueue('sendings.dispatch', {});
  }

  /** Rings for what is due. */
  @Sweeps(500)
  async sweep(): Promise<void> {
    const now = this.clock.now();
    if (await this.store.isDue(now)) this.jobs.enqueue('sendings.dispatch', {});
  }

  /** Takes back what its worker let go. */
  @Sweeps(500)
  async reclaimExpiredLeases(): Promise<void> {
    const now = this.clock.now();
    await this.db.transaction(async () => {
      for (const batch of this.shutdown.isStopping ? [] : await this.store.expiredLeases(now))
        await withIds(idsOf(batch), () => this.reclaim(batch, now));
    });
  }

  private async submit(batch: Leased): Promise<void> {
    const started = Date.now();
    const now = this.clock.now();
    // A test is of the settings as they are now, not of a second ago.
    const driver = await this.channels.driverOf(batch.channel, batch.priority === TEST_PRIORITY);
    const refusal = await this.taskRefusal(batch);
    if (driver && refusal && (await this.pauseTask(batch, refusal, now))) return;
    if (!(await this.store.startSubmit(batch, now, after(now, this.config.LEASE_SECONDS)))) {
      return this.store.release(batch, now, now);
    }
    if (!driver || refusal)
      return this.failBatch(batch, await this.store.rows(batch), now, refusal ?? 'channel_down');
    if (batch.attempt > 0) await this.reports.supersede(await this.store.findSuperseded(batch));
    const rows = await this.allowed(batch, await this.fitting(batch, driver.maxBatch, now), now);
    // Whoever stood still until the lease ran out must not send what another may have taken over, and a worker that is to
    // end sends nothing more.
    const isLate = Date.now() - started > this.config.LEASE_SECONDS * 1000 * (1 - MARGIN);
    if (isLate || this.shutdown.isStopping) return this.store.release(batch, now, now);
    const signal = AbortSignal.timeout(this.config.LEASE_SECONDS * 1000 * (1 - MARGIN));
    let results: SubmitResult[];
    try {
      results = rows.length ? await driver.send(messagesOf(batch, rows), { now, signal }) : [];
    } catch (error) {
      return this.failed(batch, driver, rows, error);
    }
    await this.record(
      batch,
      driver,
      rows,
      results,
      await this.atOnce(batch, driver, rows, results),
    );
  }

  /** Why a task's account may not send this attempt any more: the name was revoked, say, since its audience was read. */
  private async taskRefusal(batch: Leased): Promise<RulesRefusal | null> {
    const attempt = planOfBatch(batch)?.attempts[batch.attempt];
    if (!batch.taskId || !batch.OwnerId || !attempt) return null;
    return this.rules.submitRefusal(batch.OwnerId, attempt);
  }

  /** The task waits with all that it has not handed over. False when it does not run: then the batch decides for itself. */
  private pauseTask(batch: Leased, reason: RulesRefusal, now: Date): Promise<boolean> {
    return this.db.transaction(async () => {
      const task = await this.tasks.lockRunning(batch.taskId!);
      if (!task) return false;
      await this.tasks.pauseFor(task, reason, now);
      await this.store.release(batch, now, now);
      return true;
    });
  }

  /** Singles whose account may not send them any more fail, each for itself; a batch may be of several accounts. */
  private async allowed(batch: Leased, rows: DueRow[], now: Date): Promise<DueRow[]> {
    if (batch.taskId || batch.priority === TEST_PRIORITY) return rows;
    const refused = await this.rules.refusedRows(rows, typeOf(batch.type));
    if (!refused.size) return rows;
    return this.db.transaction(async () => {
      if (!(await this.store.holds(batch))) return [];
      await this.reports.apply(
        [...refused].map(([id, code]) => ({ id, status: 'failed', code, at: now })),
      );
      return rows.filter(({ id }) => !refused.has(id));
    });
  }

  /**
   * A carrier that can be asked is asked at once: what it knows already is recorded with the handover. Not by a worker that
   * is to end: nothing may keep it from recording the handover itself.
   */
  private async atOnce(
    batch: Leased,
    driver: OpenDriver,
    rows: DueRow[],
    results: SubmitResult[],
  ): Promise<Answer | null> {
    if (!driver.query || this.shutdown.isStopping) return null;
    const accepted = new Set(
      results.filter((r) => r.result === 'accepted').map((r) => r.reference),
    );
    const now = this.clock.now();
    const asked = { ...batch, submittedAt: now, polledAt: null };
    const submitted = rows.filter((r) => accepted.has(r.id));
    return this.polls.ask(asked, submitted, now, () => Promise.resolve(driver));
  }

  /** As many of a batch as its driver takes at a time; the rest waits in batches of its own. */
  private async fitting(batch: Leased, most: number, now: Date): Promise<DueRow[]> {
    const rows = await this.store.rows(batch);
    if (rows.length <= most) return rows;
    return this.db.transaction(async () => {
      if (!(await this.store.holds(batch))) return [];
      for (let i = most; i < rows.length; i += most)
        await this.store.split(
          batch,
          rows.slice(i, i + most).map((r) => r.id),
          { stage: 0, tries: batch.tries, dueAt: now, now },
        );
      return rows.slice(0, most);
    });
  }

  private async failed(
    batch: Leased,
    driver: OpenDriver,
    rows: DueRow[],
    error: unknown,
  ): Promise<void> {
    const now = this.clock.now();
    this.states.failed(batch.channel, error);
    if (error instanceof ChannelDown) {
      // Who tests a channel waits for the outcome.
      if (batch.priority === TEST_PRIORITY) return this.failBatch(batch, rows, now, 'channel_down');
      const since = await this.store.waitsSince(batch);
      if (now.getTime() - since.getTime() > DOWN_FOR_SECONDS * 1000)
        return this.failBatch(batch, rows, now, 'channel_down');
      this.log.warn({ err: error }, 'a channel is down');
      return this.store.release(batch, after(now, Math.max(1, error.retryAfter / 1000)), now, {
        tries: 1,
      });
    }
    if (!(error instanceof UnknownOutcome)) this.log.error({ err: error }, 'a driver failed');
    await this.record(batch, driver, rows, []);
  }

  /** The driver's answers: taken, rejected, to be tried again, or none: in doubt. */
  private async record(
    batch: Leased,
    driver: OpenDriver,
    rows: DueRow[],
    results: SubmitResult[],
    asked: Answer | null = null,
  ): Promise<void> {
    const now = asked?.polledAt ?? this.clock.now();
    const answers = new Map(results.map((r) => [r.reference, r]));
    const by = (kind: SubmitResult['result'] | undefined) =>
      rows.filter((r) => answers.get(r.id)?.result === kind);
    if (results.length) this.states.submitted(batch.channel, by('accepted').length);
    const [unknown, throttled, rejected] = [by(undefined), by('throttled'), by('rejected')];
    const refusals = (some: DueRow[]): Report[] =>
      some.map((r) => {
        const answer = answers.get(r.id) as Extract<SubmitResult, { result: 'rejected' }>;
        return { id: r.id, status: 'failed', code: answer.code, at: now };
      });
    await this.db.transaction(async () => {
      // Another has taken it over: it has counted what is in doubt, and what goes on is its to say.
      if (!(await this.store.holds(batch))) {
        const left = await this.store.withUnknownOutcome(rejected.map((r) => r.id));
        await this.nameReferences(batch, results);
        await this.reports.apply(refusals(rejected.filter((r) => left.has(r.id))));
        return;
      }
      if (throttled.length && throttled.length === rows.length) {
        return this.store.release(batch, retryAt(throttled, answers, now), now, { tries: 1 });
      }
      if (throttled.length) {
        await this.store.split(
          batch,
          throttled.map((r) => r.id),
          { stage: 0, tries: batch.tries + 1, dueAt: retryAt(throttled, answers, now), now },
        );
      }
      if (unknown.length && unknown.length === rows.length - throttled.length)
        await this.handleUnknownOutcome(batch, driver, unknown, now);
      else {
        if (unknown.length) {
          const apart = await this.store.split(
            batch,
            unknown.map((r) => r.id),
            { stage: 2, tries: batch.tries, dueAt: now, now },
          );
          await this.handleUnknownOutcome(apart, driver, unknown, now);
        }
        const taken = rows.length - unknown.length - throttled.length;
        await this.settle(batch, 3, now, driver, taken, asked);
      }
      await this.nameReferences(batch, results);
      await this.triggerOnSubmit(batch, by('accepted'));
      await this.reports.apply(refusals(rejected));
      if (asked) await this.polls.apply(asked);
    });
  }

  /** Ids that the carrier gave are facts, whoever holds the batch by now: its reports come under them. */
  private async nameReferences({ channel }: Leased, results: SubmitResult[]): Promise<void> {
    const given = results.flatMap((r) =>
      'externalId' in r && r.externalId ? [{ id: r.reference, externalId: r.externalId }] : [],
    );
    if (given.length) await this.carriers.nameReferences(channel, given);
  }

  /**
   * Resent only where the carrier drops repeats, later each time, and not for ever: it remembers what it had for as long as it
   * likes. Otherwise, and then, left to a receipt or to expiry. Counted either way, each message once.
   */
  private async handleUnknownOutcome(
    batch: Leased,
    driver: OpenDriver,
    rows: DueRow[],
    now: Date,
  ): Promise<void> {
    if (batch.taskId && batch.unknownOutcomes === 0)
      await this.tasks.outcomes([{ id: batch.taskId, unknownOutcomes: rows.length }]);
    if (
      driver.deduplicates &&
      batch.priority !== TEST_PRIORITY &&
      batch.unknownOutcomes < RESENT_AT_MOST
    ) {
      const pause = Math.min(2 ** batch.unknownOutcomes, RESENT_EVERY_SECONDS);
      await this.store.release(batch, after(now, pause), now, { tries: 1, unknownOutcomes: 1 });
    } else await this.settle(batch, 4, now, driver, rows.length);
  }

  private async settle(
    batch: Leased,
    stage: 3 | 4,
    now: Date,
    driver: OpenDriver,
    n: number,
    asked: Answer | null = null,
  ): Promise<void> {
    const timeout = timeoutAfter(batch);
    const done = await this.store.submitted(batch, stage, {
      now,
      timerAt: timeout ? after(now, timeout) : null,
      expiresAt: after(now, this.lifetime(typeOf(batch.type), driver)),
      pollAt: asked ? asked.nextAt : driver.query ? now : null,
      polledAt: asked?.polledAt ?? null,
      revision: driver.query ? driver.revision : null,
    });
    if (!done) return;
    if (driver.query && !asked) this.jobs.enqueue('sendings.poll', {});
    if (stage === 3) this.metrics.messages(typeOf(batch.type), 'sent', n);
    this.metrics.batch('submitted', n);
    if (batch.OwnerId) this.events.counted('sendings', 'updated', batch.OwnerId, batch.taskId, n);
  }

  /** A fallback may wait for `sent` or `processing`, which no row is written for. */
  private async triggerOnSubmit(batch: Leased, rows: DueRow[]): Promise<void> {
    const statuses = planOfBatch(batch)?.triggers[batch.attempt]?.onStatus ?? [];
    if (!statuses.includes('sent') && !statuses.includes('processing')) return;
    await this.reports.signalAll(
      rows.map((r) => r.id),
      { kind: 'status', status: statuses.includes('sent') ? 'sent' : 'processing' },
    );
  }

  private async failBatch(
    batch: Leased,
    rows: DueRow[],
    now: Date,
    code: SendingErrorCode,
  ): Promise<void> {
    await this.db.transaction(async () => {
      if (!(await this.store.failSubmitting(batch, now))) return;
      await this.reports.apply(rows.map((r) => ({ id: r.id, status: 'failed', code, at: now })));
    });
  }

  private async reclaim(batch: Leased & { stage: number }, now: Date): Promise<void> {
    if (batch.stage === 1) return this.store.release(await this.fenced(batch), now, now);
    const driver = await this.channels.driver(batch.channel).catch((error: unknown) => {
      this.log.error({ err: error }, 'a batch in doubt waits: its channel cannot be opened');
    });
    if (driver)
      await this.handleUnknownOutcome(
        await this.fenced(batch),
        driver,
        await this.store.rows(batch),
        now,
      );
  }

  private async fenced(batch: Leased): Promise<Leased> {
    return { ...batch, lease: await this.store.fence(batch) };
  }

  private lifetime(type: SendingType, driver: OpenDriver): number {
    const { EXPIRES_SECONDS, EXPIRES_FLASHCALL_SECONDS, EXPIRES_SIMULATOR_SECONDS } = this.config;
    if (driver.name === 'simulator') return EXPIRES_SIMULATOR_SECONDS;
    return type === 'flashcall' ? EXPIRES_FLASHCALL_SECONDS : EXPIRES_SECONDS;
  }
}
