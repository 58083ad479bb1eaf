import * as z from 'zod';
import { MAX_EXTERNAL_ID } from './channels.ts';
import { Time } from './fields.ts';
import { SendingType } from './types.ts';

/** A message as submitted to a carrier over HTTP. */
export const CarrierMessage = z.object({
  /** Id of the message. Delivery reports refer to it; some carriers deduplicate by it. */
  reference: z.guid(),
  type: SendingType,
  sender: z.string(),
  recipient: z.string(),
  payload: z.looseObject({ text: z.string().optional() }),
  /** Header fields of an e-mail. */
  headers: z.record(z.string(), z.string()).optional(),
  segments: z.int(),
  /** Number of previous submissions; 0 for the first one. */
  tries: z.int(),
  /** Absent: without a limit. */
  validity: z.object({ until: Time, seconds: z.int() }).optional(),
});

/** Body of requests to the `url` of a channel with the driver `http`, signed according to Standard Webhooks. */
export const CarrierBatch = z.object({ channel: z.string(), messages: z.array(CarrierMessage) });
export type CarrierBatch = z.infer<typeof CarrierBatch>;

const reference = z.string();
export const CarrierAccepted = z.object({
  reference,
  result: z.literal('accepted'),
  externalId: z.string().max(MAX_EXTERNAL_ID).optional(),
  /** Of a message of several parts that are reported each. */
  externalIds: z.array(z.string().max(MAX_EXTERNAL_ID)).max(255).optional(),
});
export const CarrierRejected = z.object({
  reference,
  result: z.literal('rejected'),
  /** An error code of messages, or the carrier's own. */
  code: z.union([z.string(), z.number()]).nullish(),
  /** The carrier's reason. Managers see the first 500 characters, and a code of its own. */
  text: z.string().nullish(),
});
export const CarrierThrottled = z.object({
  reference,
  result: z.literal('throttled'),
  /** In milliseconds. */
  retryAfter: z.number().min(0).optional(),
});
export const CarrierResult = z
  .discriminatedUnion('result', [CarrierAccepted, CarrierRejected, CarrierThrottled])
  .meta({ id: 'CarrierResult' });
/** The response to a batch. Results that are invalid or missing leave the outcome of their message unknown. */
export const CarrierAnswer = z.object({ results: z.array(CarrierResult) });
