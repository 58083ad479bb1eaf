import { Controller, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CarrierIncoming, channels, MAX_EXTERNAL_ID, type ResponseOf } from '@heliograph/contract';
import { invalid } from '../../../core/errors.ts';
import { hasBody } from '../../../core/http/body.ts';
import { Endpoint, Input, type AppRequest, type In } from '../../../core/http/endpoint.ts';
import { CallbacksService } from './callbacks.service.ts';
import { CarrierReportsService } from './carrier-reports.service.ts';
import { RepliesService } from './replies.service.ts';

/** Delivery reports and incoming messages from carriers. The guard has verified the carrier's signature. */
@Controller()
export class CarriersController {
  constructor(
    private readonly reports: CarrierReportsService,
    private readonly replies: RepliesService,
    private readonly callbacks: CallbacksService,
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
    const { type, from, to, payload } = body;
    const { text, image, file } = payload;
    const message = { type, from, to, payload: { text, image, file } };
    return {
      id: await this.replies.receive(message, { channel: params.channel, webhookId }),
      ignored: ignoredIn(body),
    };
  }

  @Endpoint(channels.callback)
  callback(
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
    @Input() { params, query, body }: In<typeof channels.callback>,
  ): Promise<ResponseOf<typeof channels.callback>> {
    // Some post nothing, and say all in the query. Beside a body, which may be signed, it says nothing.
    return this.answered(response, params.carrier, hasBody(request) ? body : query);
  }

  @Endpoint(channels.callbackByGet)
  callbackByGet(
    @Res({ passthrough: true }) response: Response,
    @Input() { params, query }: In<typeof channels.callbackByGet>,
  ): Promise<ResponseOf<typeof channels.callbackByGet>> {
    return this.answered(response, params.carrier, query);
  }

  private async answered(response: Response, carrier: string, fields: unknown): Promise<string> {
    const { answer, type } = await this.callbacks.receive(carrier, fields);
    response.setHeader('content-type', `${type}; charset=utf-8`);
    return answer;
  }
}

const MAX_IGNORED = 20;
const MAX_NAME_LENGTH = 100;

function ignoredIn(body: CarrierIncoming): string[] {
  const unknown = (given: object, known: object, prefix = '') =>
    Object.keys(given)
      .filter((name) => !Object.hasOwn(known, name))
      .map((name) => `${prefix}${name}`.slice(0, MAX_NAME_LENGTH));
  const { shape } = CarrierIncoming;
  return [...unknown(body, shape), ...unknown(body.payload, shape.payload.shape, 'payload.')].slice(
    0,
    MAX_IGNORED,
  );
}
