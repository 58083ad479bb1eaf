import { z } from 'zod';
import { defineDriver } from '../channel.ts';

/** Messages of one call: the gateway takes them one by one. */
const MAX_BATCH = 50;

/** Sends from WhatsApp instances of the accounts. It has no options: the gateway is a setting of the installation. */
export const wapiDriver = defineDriver({
  name: 'wapi',
  options: z.strictObject({}),
  open: (_channel, _options, _outbound, senders) => ({
    deduplicates: false,
    maxBatch: MAX_BATCH,
    send: (batch, context) => senders!.send(batch, context),
  }),
});
