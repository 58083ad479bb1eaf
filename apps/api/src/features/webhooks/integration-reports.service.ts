import { Injectable } from '@nestjs/common';
import type { WebhookReport } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Outbox } from '../../core/outbox.ts';
import { DeliveryQueueStore } from './delivery-queue.store.ts';
import { WebhookCaller, type CallResult, type Exchange } from './webhook-caller.ts';
import type { WebhookRequest } from './webhook-request.ts';
import { WebhookSecrets } from './webhook-secrets.ts';
import { WebhooksService } from './webhooks.service.ts';
import { WebhooksStore } from './webhooks.store.ts';

export type { CallResult } from './webhook-caller.ts';

/** Composes the call that reports an event to an integration; a failure of that, or null if there is nothing to report. */
type Composer = (
  IntegrationId: string,
  report: WebhookReport,
  isRepeated: boolean,
) => Promise<WebhookRequest | CallResult | null>;

interface Integrated {
  id: string;
  OwnerId: string;
  title: string;
  portal: string | null;
}

const EVENT = 'sendings.status';

/** Reports of statuses to integrations: webhooks that an integration composes, of its own messages only. */
@Injectable()
export class IntegrationReportsService {
  private composer?: Composer;

  constructor(
    private readonly clock: Clock,
    private readonly webhooks: WebhooksService,
    private readonly store: WebhooksStore,
    private readonly queue: DeliveryQueueStore,
    private readonly secrets: WebhookSecrets,
    private readonly outbox: Outbox,
    private readonly caller: WebhookCaller,
  ) {}

  composeBy(composer: Composer): void {
    this.composer = composer;
  }

  compose: Composer = (...report) => this.composer!(...report);

  checkAddress(url: string, field: string): Promise<void> {
    return this.webhooks.checkAddress(url, field);
  }

  /** In the transaction that creates the integration. */
  async create({ id, OwnerId, title, portal }: Integrated): Promise<void> {
    const { sealed } = await this.secrets.create(OwnerId);
    await this.store.create({
      OwnerId,
      IntegrationId: id,
      title,
      event: EVENT,
      url: portal!,
      method: 'POST',
      statuses: ['delivered', 'seen', 'failed'],
      // 400 is a message that the other side does not know any more: a repetition would not help.
      successOn: { status: '^(2\\d\\d|400)$', body: null },
      secret: sealed,
    });
  }

  async resume({ id }: Pick<Integrated, 'id'>): Promise<void> {
    const resumed = await this.store.resumeOf(id);
    for (const webhookId of resumed) await this.queue.hasten(webhookId, this.clock.now());
    if (resumed.length) this.outbox.wake();
  }

  /** The failure of a message that was not known as one of the integration when it failed. */
  async failed(
    { id, OwnerId }: Pick<Integrated, 'id' | 'OwnerId'>,
    receipt: { id: string; code?: string | null },
  ): Promise<void> {
    const data = { status: 'failed', error: receipt.code ?? null };
    await this.outbox.addFor(id, EVENT, { OwnerId, key: receipt.id, data });
  }

  /** A call under the same limits as those of webhooks. */
  exchange(request: WebhookRequest, headers: Record<string, string>): Promise<Exchange> {
    return this.caller.exchange(request, headers);
  }
}
