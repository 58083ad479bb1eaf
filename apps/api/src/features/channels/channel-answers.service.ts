import { Injectable } from '@nestjs/common';
import { ChannelDown, type RefusedAnswer } from '../../channels/channel.ts';
import { Clock } from '../../core/clock.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Log } from '../../core/log.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { ChannelAnswersStore, type DueAnswer } from './channel-answers.store.ts';
import { ChannelConnections } from './channel-connections.service.ts';

const SWEEP_MS = 500;
/** What is said over one channel in one run, and how long that may take. */
const MAX_AT_ONCE = 20;
const MAX_RUN_MS = 15_000;
const MAX_WAIT_MS = 60_000;
/** A person who waited longer has gone, or has written again. */
const GIVEN_UP_MS = 600_000;
/** Of each channel one line of the log in this time tells of refused answers. */
const LOG_EVERY_MS = 60_000;

/**
 * What channels say in chats, where the carrier reads no answers to its calls: the API notes it, a worker says it. A crowd that writes
 * to a bot leaves one answer for each chat.
 */
@Injectable()
export class ChannelAnswers {
  /** By channel: refused answers since the last line about them, and when there may be another, by the monotonic clock. */
  private readonly refused = new Map<string, { count: number; nextAt: number }>();

  constructor(
    private readonly store: ChannelAnswersStore,
    private readonly connections: ChannelConnections,
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
    private readonly log: Log,
  ) {}

  async owe(channel: string, chat: string, answer: string): Promise<void> {
    await this.store.owe({ channel, chat, answer }, this.clock.now());
  }

  @Sweeps(SWEEP_MS)
  async say(): Promise<boolean> {
    const now = this.clock.now();
    await this.store.giveUp(new Date(now.getTime() - GIVEN_UP_MS));
    const due = await this.store.due(now, MAX_AT_ONCE);
    const signal = AbortSignal.any([this.shutdown.interrupt, AbortSignal.timeout(MAX_RUN_MS)]);
    const byChannel = [...Map.groupBy(due, ({ channel }) => channel)];
    // The next run begins when all of this one have ended, so that nothing is said twice.
    const runs = await Promise.allSettled(
      byChannel.map(([channel, answers]) => this.sayOver(channel, answers, signal)),
    );
    for (const run of runs) if (run.status === 'rejected') throw run.reason;
    return byChannel.some(([, answers]) => answers.length === MAX_AT_ONCE);
  }

  /** What may have been said is not said again: the person can ask once more. */
  private async sayOver(channel: string, answers: DueAnswer[], signal: AbortSignal): Promise<void> {
    for (const answer of answers) {
      if (signal.aborted || this.shutdown.signal.aborted) return;
      try {
        const open = await this.connections.of(channel);
        const refused = await open?.say?.(answer.chat, answer.answer, signal);
        if (refused) this.noteRefused(channel, refused);
      } catch (error) {
        if (error instanceof ChannelDown) return this.wait(channel, error.retryAfter);
        // Unexpected errors of a driver may contain secrets.
        this.log.warn({ channel, reason: (error as Error).name }, 'A bot may not have answered.');
      }
      await this.store.remove(answer);
    }
  }

  /** Without the carrier's words, which may name the person. */
  private noteRefused(channel: string, { code, carrierCode }: RefusedAnswer): void {
    const { count, nextAt } = this.refused.get(channel) ?? { count: 0, nextAt: 0 };
    const isDue = performance.now() >= nextAt;
    this.refused.set(
      channel,
      isDue ? { count: 0, nextAt: performance.now() + LOG_EVERY_MS } : { count: count + 1, nextAt },
    );
    if (isDue)
      this.log.warn(
        { channel, code, carrierCode, unlogged: count },
        'A carrier has refused what a bot says.',
      );
  }

  private async wait(channel: string, retryAfter: number): Promise<void> {
    const now = this.clock.now().getTime();
    await this.store.postpone(channel, new Date(now + Math.min(retryAfter, MAX_WAIT_MS)));
  }
}
