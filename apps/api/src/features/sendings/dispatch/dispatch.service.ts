import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../core/clock.ts';
import { HandlesJob, Sweeps } from '../../../core/jobs/handlers.ts';
import { Jobs } from '../../../core/jobs/queue.ts';
import { Log, withIds } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { ChannelSessions } from '../../channels/channel-sessions.service.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { ChannelRun, type CallRequest } from './channel-run.ts';
import { DispatchStore, type LeasedBatch } from './dispatch.store.ts';
import { LeasesService } from './leases.service.ts';
import { logIdsOf } from './outgoing.ts';
import { RoutedBatchesService } from './routed-batches.service.ts';
import { SubmitService } from './submit.service.ts';

/** Of a channel whose settings are not valid, or that was removed: what is leased fails or waits at once. */
const UNKNOWN_CHANNEL = { concurrency: 1, maxBatch: 1000 };
/** How often a worker looks at the channels of which it has sessions: the job may go to another. */
const SESSIONS_MS = 250;
/** A channel whose day is used up is looked at by the sweep as well. */
const MAX_WAIT_MS = 60_000;

/** Submits due batches: each channel of which some are due is served on its own, so that none waits for another. */
@Injectable()
export class DispatchService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly runs = new Map<string, { run: ChannelRun; ended: Promise<void> }>();
  /** By channel: until its rate allows more. */
  private readonly waits = new Map<string, NodeJS.Timeout>();
  private timer?: NodeJS.Timeout;
  private looking: Promise<void> | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly jobs: Jobs,
    private readonly store: DispatchStore,
    private readonly channels: ChannelsService,
    private readonly sessions: ChannelSessions,
    private readonly leases: LeasesService,
    private readonly routes: RoutedBatchesService,
    private readonly submits: SubmitService,
    private readonly shutdown: Shutdown,
  ) {}

  /** Starts to serve the channels of which something is due; the runs go on after the job. */
  @HandlesJob('sendings.dispatch')
  async dispatch(): Promise<void> {
    if (this.shutdown.isStopping) return;
    for (const { name, areSingles } of await this.store.dueChannels(this.clock.now()))
      if (await this.sessions.serves(name)) this.serve(name, areSingles);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.looking ??= this.serveSessions().finally(() => (this.looking = null));
    }, SESSIONS_MS);
    this.timer.unref();
  }

  @Sweeps(500)
  async sweep(): Promise<void> {
    const due = await this.store.dueChannels(this.clock.now());
    if (due.length) this.jobs.enqueue('sendings.dispatch', {});
  }

  /** Resolves when no run is left. */
  async idle(): Promise<void> {
    while (this.runs.size) await Promise.all([...this.runs.values()].map(({ ended }) => ended));
  }

  /** Waits for running submits before their dependencies are closed. From here on none is added. */
  async onModuleDestroy(): Promise<void> {
    this.shutdown.begin();
    for (const timer of this.waits.values()) clearTimeout(timer);
    clearInterval(this.timer);
    await this.looking;
    await this.idle();
  }

  private serve(channel: string, areSingles = false): void {
    const known = this.runs.get(channel);
    if (known) return known.run.wake(areSingles);
    if (this.shutdown.isStopping) return;
    const run = new ChannelRun({
      room: () => this.room(channel),
      lease: (request) => this.lease(channel, request),
      submit: (batches) => this.submit(batches),
      isStopping: () => this.shutdown.isStopping,
    });
    const ended = withIds({ channel }, () => run.run())
      .catch((error: unknown) => this.log.error({ err: error }, 'Serving a channel failed.'))
      .finally(() => {
        this.runs.delete(channel);
        // Told of more after its last look.
        if (run.isWoken) this.serve(channel);
      });
    this.runs.set(channel, { run, ended });
  }

  private async lease(channel: string, request: CallRequest): Promise<LeasedBatch[]> {
    // Its session may have become another worker's.
    if (!(await this.sessions.serves(channel))) return [];
    for (;;) {
      const { batches, waitMs, isUnfinished } = await this.leases.lease(channel, request);
      if (isUnfinished && !this.shutdown.isStopping) continue;
      if (waitMs !== undefined) this.serveAfter(channel, Math.min(waitMs, MAX_WAIT_MS));
      const kept = await this.routes.keepCurrent(batches);
      if (kept.length || !batches.length) return kept;
    }
  }

  private serveAfter(channel: string, ms: number): void {
    clearTimeout(this.waits.get(channel));
    const wake = () => {
      this.waits.delete(channel);
      this.serve(channel);
    };
    this.waits.set(channel, setTimeout(wake, ms).unref());
  }

  /** Serves the channels of which only this worker submits. Never rejects. */
  private async serveSessions(): Promise<void> {
    const idle = this.sessions.names().filter((name) => !this.runs.has(name));
    if (!idle.length || this.shutdown.isStopping) return;
    try {
      for (const { name } of await this.store.dueChannels(this.clock.now(), idle))
        if (await this.sessions.serves(name)) this.serve(name);
    } catch (error) {
      this.log.warn({ err: error }, 'Looking at channels with sessions failed; it is repeated.');
    }
  }

  private async room(channel: string): Promise<{ concurrency: number; maxBatch: number }> {
    const facts = (await this.channels.factsOf(channel)) ?? UNKNOWN_CHANNEL;
    const sessions = Math.max(1, this.sessions.count(channel));
    return { maxBatch: facts.maxBatch, concurrency: facts.concurrency * sessions };
  }

  /** Never rejects. */
  private submit(batches: LeasedBatch[]): Promise<void> {
    return withIds(logIdsOf(batches[0]!, batches.length - 1), () =>
      this.submits
        .submit(batches)
        .catch((error: unknown) =>
          this.log.error(
            { err: error },
            'Submitting batches failed; they will be retried when their leases expire.',
          ),
        ),
    );
  }
}
