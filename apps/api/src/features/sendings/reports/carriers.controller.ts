import { Controller, Req } from '@nestjs/common';
import { channels, MAX_EXTERNAL_ID, type ResponseOf } from '@heliograph/contract';
import { invalid } from '../../../core/errors.ts';
import { Endpoint, Input, type AppRequest, type In } from '../../../core/http/endpoint.ts';
import { CarrierReportsService } from './carrier-reports.service.ts';
import { RepliesService } from './replies.service.ts';

/** What comes in from carriers, whose signature the guard has verified: delivery reports and messages from people. */
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
    return { results: await this.reports.take(params.channel, body.statuses) };
  }

  @Endpoint(channels.incoming)
  async incoming(
    @Req() request: AppRequest,
    @Input() { params, body }: In<typeof channels.incoming>,
  ): Promise<ResponseOf<typeof channels.incoming>> {
    // Signed with the body, and the same in every try; carriers that sign in another way may have none.
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
