import { CarrierBatch } from '@heliograph/contract';
import type { ZodOpenApiOperationObject } from 'zod-openapi';

/** The request that the driver `http` sends to a carrier. */
export const carrierBatch = {
  operationId: 'channels.messages',
  tags: ['channels'],
  summary: 'Messages for a carrier',
  description:
    'Posted to the option `url` of a channel with the driver `http`, signed by its `secret` as Standard Webhooks ' +
    '(`webhook-id`, `webhook-timestamp`, `webhook-signature`). The carrier reports statuses with `channels.statuses`.',
  security: [],
  requestBody: { required: true, content: { 'application/json': { schema: CarrierBatch } } },
  responses: {
    '200': {
      description:
        '`{ results: [{ reference, result, ... }] }`: `accepted` with an `externalId`, if there is one, `rejected` with a `code` and a `text`, or ' +
        '`throttled` with `retryAfter` in milliseconds. The outcome of omitted messages is unknown.',
    },
    '429': { description: 'No message was accepted. The batch is sent again after `Retry-After`.' },
    '503': { description: 'No message was accepted. The batch is sent again after `Retry-After`.' },
  },
} satisfies ZodOpenApiOperationObject;
