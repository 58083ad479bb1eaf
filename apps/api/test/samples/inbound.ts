import { inboundRules } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

const body = {
  title: 'Prices',
  mode: 'contains' as const,
  keywords: ['price'],
  actions: ['reply' as const],
  replyText: 'Our prices: example.com',
};
const rule = async ({ owner }: Scene) => (await owner.api(inboundRules.create, { body })).id;
const trial = { type: 'sms' as const, to: 'MIRTEA', text: 'What is the price?' };

export const INBOUND: SamplesOf<'inboundRules'> = {
  inboundRules: {
    find: (s) => listing('inbound_rules', rule(s)),
    get: (s) => byId('inbound_rules', rule(s)),
    create: async (s) => creating(s, { body }),
    update: (s) => byId('inbound_rules', rule(s), { body: { title: 'Price list' } }),
    remove: (s) => byId('inbound_rules', rule(s)),
    reorder: async (s) => {
      const ids = [await rule(s), await rule(s)].reverse();
      return { call: { body: { ids } }, row: ['inbound_rules', ids[0]!], others: 'nothing' };
    },
    try: async (s) => {
      const id = await rule(s);
      return { call: { body: trial }, row: ['inbound_rules', id], others: 'own' };
    },
  },
};
