import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { EFFECTS } from '@heliograph/contract';
import { endpointEnding } from '@heliograph/domain';
import { ActingTokens } from '../../core/auth/acting-tokens.ts';
import { Clock, secondsAfter } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { HandlesJob, Sweeps } from '../../core/jobs/handlers.ts';
import { Jobs } from '../../core/jobs/queue.ts';
import { Log, withIds } from '../../core/log.ts';
import { Notifications } from '../../core/notifications.ts';
import { Shutdown } from '../../core/shutdown.ts';
import { DeliveryQueueStore, type LeasedWebhook } from './delivery-queue.store.ts';
import { EndpointRun } from './endpoint-run.ts';
import { WebhookCallsService, type Turn } from './webhook-calls.service.ts';
import { WebhookSecrets } from './webhook-secrets.ts';

/** Webhooks that one worker delivers to at a time. Each has its own connections, so that none waits for another. */
const MAX_RUNS = 100;
/** The part of the grace period of a shutdown in which running calls may end. */
const CALLS_SHARE = 0.5;

const NOTIFICATION_OF = {
  failing: 'WebhookPaused',
  gone: 'WebhookDisabled',
  forbidden: 'TokenEffectEnded',
} as const;

/** Delivers events to webhooks: each due webhook is leased and served on its own. */
@Injectable()
export class DeliveryService implements OnModuleDestroy {
  private readonly running = new Set<Promise<void>>();
  private readonly halt = new AbortController();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
    private readonly jobs: Jobs,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly store: DeliveryQueueStore,
    private readonly calls: WebhookCallsService,
    private readonly secrets: WebhookSecrets,
    private readonly tokens: ActingTokens,
    private readonly shutdown: Shutdown,
  ) {}

  /** Starts to serve due webhooks; the runs go on after the job. */
  @HandlesJob('webhooks.deliver')
  async deliver(): Promise<void> {
    const free = MAX_RUNS - this.running.size;
    if (free <= 0 || this.shutdown.isStopping) return;
    const now = this.clock.now();
    const until = secondsAfter(now, this.config.LEASE_SECONDS);
    for (const webhook of await this.store.lease(now, until, free)) this.start(webhook);
  }

  @Sweeps(500)
  async sweep(): Promise<void> {
    if (await this.store.isDue(this.clock.now())) this.jobs.enqueue('webhooks.deliver', {});
  }

  /** Resolves when no run is left. */
  async idle(): Promise<void> {
    while (this.running.size) await Promise.all(this.running);
  }

  async onModuleDestroy(): Promise<void> {
    this.shutdown.begin();
    // Calls that take longer are repeated by another worker.
    const timer = setTimeout(
      () => this.halt.abort(),
      this.config.SHUTDOWN_GRACE_SECONDS * 1000 * CALLS_SHARE,
    );
    await this.idle();
    clearTimeout(timer);
  }

  private start(webhook: LeasedWebhook): void {
    const run = withIds({ webhookId: webhook.id }, () => this.serve(webhook))
      .catch((error: unknown) =>
        this.log.error({ err: error }, 'Serving a webhook failed; its lease expires.'),
      )
      .finally(() => {
        this.running.delete(run);
        // Events may have come in meanwhile, or the turn was over.
        if (!this.shutdown.isStopping) this.jobs.enqueue('webhooks.deliver', {});
      });
    this.running.add(run);
  }

  private async serve(webhook: LeasedWebhook): Promise<void> {
    const turn = await this.turn(webhook);
    if (!turn) return;
    const run = new EndpointRun(turn, this.calls, this.store, this.clock, {
      leaseSeconds: this.config.LEASE_SECONDS,
      nextTurn: (served) => this.nextTurn(served),
      stopping: this.shutdown.signal,
      halt: this.halt.signal,
    });
    const health = await run.run();
    const ending = endpointEnding(health, this.clock.now(), this.config.WEBHOOK_PAUSE_SECONDS);
    if (ending) await this.end(webhook, health, ending);
    await this.store.release(webhook);
  }

  /** Null, and the webhook is disabled, if the token that created it may not receive its event any more. */
  private async turn(webhook: LeasedWebhook): Promise<Turn | null> {
    if (await this.tokens.mayAct(webhook, EFFECTS.webhook[webhook.event])) {
      // Callbacks are signed as their API signs them.
      const isSigned = webhook.callbackApi === null;
      const keys = isSigned ? await this.secrets.signing(webhook, this.clock.now()) : [];
      return { webhook, keys, headers: await this.secrets.headers(webhook) };
    }
    await this.end(webhook, webhook, 'forbidden');
    return null;
  }

  private async nextTurn(served: LeasedWebhook): Promise<Turn | null> {
    if (this.running.size >= MAX_RUNS) return null;
    const webhook = await this.store.nextTurn(served, this.clock.now());
    return webhook ? this.turn(webhook) : null;
  }

  /** Pauses or disables the webhook and notifies its owner, once. */
  private async end(
    webhook: LeasedWebhook,
    { failures, failingSince }: Pick<LeasedWebhook, 'failures' | 'failingSince'>,
    reason: keyof typeof NOTIFICATION_OF,
  ): Promise<void> {
    const { id, OwnerId, title, url } = webhook;
    const state = reason === 'failing' ? 'paused' : 'disabled';
    await this.db.transaction(async () => {
      const health = { failures, failingSince, blockedUntil: null, succeededAt: null };
      if (!(await this.store.health(webhook, { ...health, end: { state, reason } }))) return;
      await this.notifications.notify(OwnerId, NOTIFICATION_OF[reason], {
        id,
        title,
        url,
        date: failingSince?.toISOString() ?? null,
      });
      this.events.changed('webhooks', 'updated', OwnerId, id);
    });
  }
}
