import { CarrierAnswer, CarrierBatch, WEBHOOK_BODIES } from '@heliograph/contract';
import { webhookExample, type WebhookEvent } from '@heliograph/domain';
import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from 'zod-openapi';

const SIGNATURE = z.object({
  'webhook-id': z.string(),
  'webhook-timestamp': z.string(),
  'webhook-signature': z.string(),
});

/** The call of a webhook without a template, for each event. */
function callOf(event: WebhookEvent): ZodOpenApiOperationObject {
  const { at, data } = webhookExample(event);
  return {
    operationId: `webhooks.${event}`,
    tags: ['webhooks'],
    summary: `The event ${event}`,
    description:
      'Posted to the `url` of a webhook for this event, unless the webhook has a template or the method `GET`. Signed by its `secret` as ' +
      'Standard Webhooks. The same event may come twice, with the same `webhook-id`.',
    security: [],
    requestParams: { header: SIGNATURE },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: WEBHOOK_BODIES[event],
          example: { type: event, timestamp: at.toISOString(), data },
        },
      },
    },
    responses: {
      '2XX': {
        description: 'The event was taken. Its body is not read, unless `successOn` asks for it.',
      },
      '410': { description: 'The webhook is disabled.' },
    },
  };
}

/** The request that the driver `http` sends to a carrier. */
const carrierBatch = {
  operationId: 'channels.messages',
  tags: ['channels'],
  summary: 'Messages for a carrier',
  description:
    'Posted to the option `url` of a channel with the driver `http`, signed by its `secret` as Standard Webhooks. ' +
    'The carrier reports statuses with `channels.statuses`.',
  security: [],
  requestParams: { header: SIGNATURE },
  requestBody: { required: true, content: { 'application/json': { schema: CarrierBatch } } },
  responses: {
    '200': {
      description: 'A result for each message. The outcome of omitted messages is unknown.',
      content: { 'application/json': { schema: CarrierAnswer } },
    },
    '429': { description: 'No message was accepted. The batch is sent again after `Retry-After`.' },
    '503': { description: 'No message was accepted. The batch is sent again after `Retry-After`.' },
  },
} satisfies ZodOpenApiOperationObject;

/** What this installation calls at others. */
export const webhookPaths: Record<string, ZodOpenApiPathItemObject> = {
  ...Object.fromEntries(
    (Object.keys(WEBHOOK_BODIES) as WebhookEvent[]).map((event) => [
      event,
      { post: callOf(event) },
    ]),
  ),
  'channels.messages': { post: carrierBatch },
};
