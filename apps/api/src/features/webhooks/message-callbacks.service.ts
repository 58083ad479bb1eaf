import { Injectable } from '@nestjs/common';
import { EFFECTS, webhooks, type Permission } from '@heliograph/contract';
import { webhookUrlError, type WebhookReport, type WebhookStatus } from '@heliograph/domain';
import { LRUCache } from 'lru-cache';
import { requireAll, requirePermission, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Outbox } from '../../core/outbox.ts';
import { Quotas } from '../../core/quotas.ts';
import { DeliveryQueueStore, type LeasedWebhook } from './delivery-queue.store.ts';
import { CALLBACKS_QUOTA, MessageCallbacksStore } from './message-callbacks.store.ts';
import type { WebhookRequest } from './webhook-request.ts';
import { WebhookSecrets } from './webhook-secrets.ts';
import { WebhooksService } from './webhooks.service.ts';

/** A callback of a message as its API writes it. */
export interface Callback extends WebhookRequest {
  headers: Record<string, string>;
}

/** Composes the callback that reports a status; null if there is nothing to report. `secret` opens that of the queue. */
export type CallbackComposer = (
  queue: Pick<LeasedWebhook, 'OwnerId' | 'url'> & { api: string },
  report: WebhookReport,
  secret: () => Promise<string>,
) => Promise<Callback | null>;

interface Wanted {
  /** Whose form the callbacks have. */
  api: string;
  /** The name of the parameter, for refusals. */
  field: string;
  url: string;
  /** The name of the queue for its owner; another one is another queue. */
  title: string;
  method: 'GET' | 'POST';
  /** What the composer needs besides the message, as to sign. */
  secret: string;
  /** When the message is sent. */
  at: Date;
}

const STATUSES: WebhookStatus[] = ['sent', 'delivered', 'failed'];
const MAX_URL = 2048;
/** A paused queue is active again at the latest this long after a message has named it. */
const KNOWN_MS = 60_000;
const MAX_KNOWN = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Callbacks of single messages, to the URL that the call named which sent them. They are events of a webhook that nobody sees, one for
 * each token and origin of the URLs: queued in the transaction of the fact, called under the same guard and limits, repeated as
 * those of webhooks, and ended with the token.
 */
@Injectable()
export class MessageCallbacks {
  private composer?: CallbackComposer;
  /** Ids of queues, and until when they are kept, by their key. */
  private readonly known = new LRUCache<string, { id: string; until: Date }>({
    max: MAX_KNOWN,
    ttl: KNOWN_MS,
  });

  constructor(
    private readonly webhooks: WebhooksService,
    private readonly store: MessageCallbacksStore,
    private readonly queue: DeliveryQueueStore,
    private readonly secrets: WebhookSecrets,
    private readonly quotas: Quotas,
    private readonly outbox: Outbox,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  composeBy(composer: CallbackComposer): void {
    this.composer = composer;
  }

  async compose(queue: LeasedWebhook, report: WebhookReport): Promise<Callback | null> {
    const { OwnerId, url, callbackApi } = queue;
    const callback = await this.composer!({ OwnerId, url, api: callbackApi! }, report, () =>
      this.secrets.openText(queue),
    );
    // What was filled in does not change where it goes.
    return callback && originOf(callback.url) === url ? callback : null;
  }

  /**
   * The id of the queue for callbacks of a message. Needs the permissions of a webhook for the same event. Throws for a URL
   * that is no public one.
   */
  async open(
    actor: Actor,
    { api, field, url, title, method, secret, at }: Wanted,
  ): Promise<string> {
    // A test token may have no webhooks, which would report real messages; callbacks report its own only.
    if (!actor.isTest) requirePermission(actor, webhooks.create.can as Permission);
    requireAll(actor, EFFECTS.webhook['sendings.status']);
    const origin = url.length <= MAX_URL && !webhookUrlError(url) ? originOf(url) : null;
    if (!origin) throw invalid(field, 'url', 'The URL is invalid');
    const { OwnerId, tokenId } = actor;
    const key = `${OwnerId} ${title} ${origin}`;
    const known = this.known.get(key);
    if (known && known.until >= at) return known.id;
    const until = new Date(at.getTime() + HOUR_MS);
    const named = { OwnerId, title, url: origin };
    const used = await this.store.use(named, until);
    if (used) {
      if (!used.wasActive) {
        await this.queue.hasten(used.id, this.clock.now());
        this.outbox.wake();
      }
      this.known.set(key, { id: used.id, until });
      return used.id;
    }
    await this.webhooks.checkAddress(origin, field);
    const sealed = await this.secrets.sealText(OwnerId, secret);
    const added = {
      ...named,
      TokenId: tokenId!,
      api,
      method,
      statuses: STATUSES,
      secret: sealed,
      successOn: { status: '^(2\\d\\d|410)$', body: null },
    };
    return this.db.transaction(async () => {
      if (await this.store.add(added, until)) await this.quotas.check(CALLBACKS_QUOTA, OwnerId);
      return (await this.store.use(named, until))!.id;
    });
  }

  @Sweeps(HOUR_MS)
  async removeUnused(): Promise<void> {
    const { RETENTION_WEBHOOKS_DAYS } = this.config;
    const before = this.clock.now().getTime() - RETENTION_WEBHOOKS_DAYS * DAY_MS;
    await this.store.removeUnused(new Date(before));
  }
}

/** Null for a URL that is none, or has a user's name. */
function originOf(url: string): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || parsed.username || parsed.password) return null;
  return parsed.origin;
}
