import * as z from 'zod';
import { ById, endpoint, Removed } from './endpoint.ts';
import { Id } from './fields.ts';
import { WebhookEventName, WebhookInput } from './webhooks.ts';

/** The names of REST hooks, as Zapier, Make and others send them. */
export const HookInput = z.strictObject({
  event: WebhookEventName,
  target_url: WebhookInput.shape.url,
  title: WebhookInput.shape.title.optional(),
});
export const Hook = z.object({ id: Id, event: WebhookEventName, target_url: z.string() });
export type Hook = z.infer<typeof Hook>;

/** REST hooks: a program subscribes its own URL to an event. Each is a webhook of the account. */
export const hooks = {
  subscribe: endpoint('POST', '/hooks', {
    lasting: 'refused',
    summary: 'Subscribe a URL to an event',
    body: HookInput,
    response: Hook.extend({ secret: z.string() }),
    status: 201,
    can: 'webhooks.create',
    idempotent: 'calls',
    showsSecret: true,
    audit: 'webhooks.create',
  }),
  unsubscribe: endpoint('DELETE', '/hooks/:id', {
    summary: 'End a subscription',
    params: ById,
    response: Removed,
    can: 'webhooks.remove',
    audit: 'webhooks.remove',
  }),
  /** In a list, as the programs expect it. */
  sample: endpoint('GET', '/hooks/samples/:event', {
    summary: 'Get an example of the body of an event',
    params: z.object({ event: WebhookEventName }),
    response: z.array(
      z.object({
        type: WebhookEventName,
        timestamp: z.string(),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
    can: 'webhooks.get',
  }),
};
