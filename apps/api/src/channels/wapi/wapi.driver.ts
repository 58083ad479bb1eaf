import { z } from 'zod';
import { defineDriver } from '../channel.ts';

/** Messages of one call: the gateway takes them one by one. */
const MAX_BATCH = 50;
const CONCURRENCY = 4;

/** Sends from WhatsApp instances of the accounts. It has no options: the gateway is a setting of the installation. */
export const wapiDriver = defineDriver({
  name: 'wapi',
  types: ['wapi'],
  options: z.strictObject({}),
  describe: () => ({
    deduplicates: false,
    maxBatch: MAX_BATCH,
    concurrency: CONCURRENCY,
    isQueried: false,
  }),
  open: (_options, { senders }) => ({
    send: (batch, context) => senders.send(batch, context),
  }),
});
