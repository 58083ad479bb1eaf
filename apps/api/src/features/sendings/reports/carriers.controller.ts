import { Controller, Req } from '@nestjs/common';
import { channels, MAX_EXTERNAL_ID, type ResponseOf } from '@heliograph/contract';
import { invalid } from '../../../core/errors.ts';
import { Endpoint, Input, type AppRequest, type In } from '../../../core/http/endpoint.ts';
import { CarrierReportsService } from './carrier-reports.service.ts';
import { RepliesService } from './replies.service.ts';

/** Delivery reports and incoming messages from carriers. The guard has verified the carrier's signature. */
@Controller()
export class CarriersController {
  constructor(
    private readonly reports: CarrierReportsService,
    private readonly replies: RepliesService,
  ) {}

  @Endpoint(channels.statuses)
  async statuses(
    @Input() { params, body }: In<typeof channels.statuses>,
  ): Promise<ResponseOf<typeof channels.statuses>> {
    return { results: await this.reports.receive(params.channel, body.statuses) };
  }

  @Endpoint(channels.incoming)
  async incoming(
    @Req() request: AppRequest,
    @Input() { params, body }: In<typeof channels.incoming>,
  ): Promise<ResponseOf<typeof channels.incoming>> {
    // The same in every retry, and covered by the signature. Carriers that sign in another way may have none.
    const webhookId = request.header('webhook-id') ?? null;
    if (webhookId && webhookId.length > MAX_EXTERNAL_ID)
      throw invalid(
        'webhook-id',
        'length',
        `The header has at most ${MAX_EXTERNAL_ID} characters.`,
      );
    return { id: await this.replies.receive(body, { channel: params.channel, webhookId }) };
  }
}
