import { webhooks } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

/** Nothing listens there, so a test is refused at once. */
const body = { title: 'Shop', event: 'tasks.state', url: 'http://127.0.0.1:9/hook' } as const;
const webhook = async ({ owner }: Scene) => (await owner.api(webhooks.create, { body })).id;

export const WEBHOOKS: SamplesOf<'webhooks'> = {
  webhooks: {
    find: (s) => listing('webhooks', webhook(s)),
    get: (s) => byId('webhooks', webhook(s)),
    create: async (s) => creating(s, { body }),
    update: (s) => byId('webhooks', webhook(s), { body: { title: 'Warehouse' } }),
    rotate: (s) => byId('webhooks', webhook(s), { body: { overlapHours: 1 } }),
    test: (s) => byId('webhooks', webhook(s)),
    replay: (s) => byId('webhooks', webhook(s), { body: { from: '2026-11-22T00:00:00.000Z' } }),
    deliveries: (s) => byId('webhooks', webhook(s)),
    delivery: async (s) => {
      const id = await webhook(s);
      const { id: deliveryId } = await s.owner.api(webhooks.test, { params: { id } });
      return {
        call: { params: { id, deliveryId } },
        row: ['webhooks', id],
        others: 'nothing',
      };
    },
    remove: (s) => byId('webhooks', webhook(s)),
  },
};
