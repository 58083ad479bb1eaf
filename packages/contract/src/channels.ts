import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, Time } from './fields.ts';
import { SendingIncomingInput } from './sendings-incoming.ts';
import { SendingType } from './types.ts';

const MAX_REPORTS = 1000;
/** Ids that carriers give. */
export const MAX_EXTERNAL_ID = 255;
const name = z.object({ channel: z.string().regex(/^[a-z0-9_-]{1,40}$/) });

export const CarrierReport = z
  .object({
    /** Our id of the sending, or the carrier's own. */
    reference: z.string().max(100).optional(),
    externalId: z.string().max(MAX_EXTERNAL_ID).optional(),
    status: z.enum(['processing', 'sent', 'delivered', 'seen', 'failed']),
    code: z.string().max(60).optional(),
    at: Time.optional(),
  })
  .refine((r) => r.reference || r.externalId, {
    path: ['reference'],
    message: 'reference or externalId is required',
  });
export type CarrierReport = z.infer<typeof CarrierReport>;

export const Channel = z.object({
  name: z.string(),
  driver: z.string(),
  types: z.array(SendingType),
  isActive: z.boolean(),
  priority: z.int(),
  options: z.record(z.string(), z.unknown()),
  updatedAt: Time,
});
export type Channel = z.infer<typeof Channel>;

export const channels = {
  find: endpoint('GET', '/channels', {
    response: z.object({ data: z.array(Channel) }),
    can: 'channels.get',
    accept: 'managerUp',
  }),
  update: endpoint('PUT', '/channels/:channel', {
    params: name,
    body: Channel.pick({ types: true, isActive: true, priority: true, options: true }).partial(),
    response: Channel,
    can: 'channels.update',
    accept: 'managerUp',
  }),
  /** Signed as Standard Webhooks; durable before it answers. */
  statuses: endpoint('POST', '/channels/:channel/statuses', {
    params: name,
    body: z.object({ statuses: z.array(CarrierReport).max(MAX_REPORTS) }),
    response: z.object({
      results: z.array(
        z.object({
          reference: z.string(),
          result: z.enum(['applied', 'ignored', 'parked', 'invalid']),
        }),
      ),
    }),
    can: 'carrier',
  }),
  incoming: endpoint('POST', '/channels/:channel/incoming', {
    params: name,
    body: SendingIncomingInput,
    response: z.object({ id: Id.nullable() }),
    can: 'carrier',
  }),
};
