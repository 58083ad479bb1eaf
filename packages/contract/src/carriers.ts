import * as z from 'zod';
import { SendingType } from './types.ts';

/** A message as it is handed to a carrier over HTTP. */
export const CarrierMessage = z.object({
  /** Our id of the sending: carriers report by it, and some drop repeats of it. */
  reference: z.guid(),
  type: SendingType,
  sender: z.string(),
  recipient: z.string(),
  payload: z.looseObject({ text: z.string().optional() }),
  segments: z.int(),
  /** How often it was handed over before: 0 the first time. */
  tries: z.int(),
});

/** What is posted to the `url` of a channel with the driver `http`, signed as Standard Webhooks. */
export const CarrierBatch = z.object({ channel: z.string(), messages: z.array(CarrierMessage) });
export type CarrierBatch = z.infer<typeof CarrierBatch>;
