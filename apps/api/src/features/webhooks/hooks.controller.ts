import { Controller } from '@nestjs/common';
import { hooks, WebhookInput, type ResponseOf } from '@heliograph/contract';
import { webhookExample } from '@heliograph/domain';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../core/http/endpoint.ts';
import { WebhooksService } from './webhooks.service.ts';

/** REST hooks: webhooks under the names that automation services use. */
@Controller()
export class HooksController {
  constructor(private readonly service: WebhooksService) {}

  @Endpoint(hooks.subscribe)
  async subscribe(
    @CurrentActor() actor: Actor,
    @Input() { body }: In<typeof hooks.subscribe>,
  ): Promise<ResponseOf<typeof hooks.subscribe>> {
    const { event, target_url: url, title = 'REST hook' } = body;
    const input = WebhookInput.parse({ event, url, title });
    const { row, secret } = await this.service.create(actor, input, 'target_url');
    return { id: row.id, event: row.event, target_url: row.url, secret };
  }

  @Endpoint(hooks.unsubscribe)
  unsubscribe(
    @CurrentActor() actor: Actor,
    @Input() { params }: In<typeof hooks.unsubscribe>,
  ): Promise<ResponseOf<typeof hooks.unsubscribe>> {
    return this.service.remove(actor, params.id);
  }

  @Endpoint(hooks.sample)
  sample(@Input() { params: { event } }: In<typeof hooks.sample>): ResponseOf<typeof hooks.sample> {
    const { at, data } = webhookExample(event);
    return [{ type: event, timestamp: at.toISOString(), data }];
  }
}
