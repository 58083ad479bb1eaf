import { automations } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

const body = {
  title: 'Welcome',
  trigger: { when: 'keyword' as const, keywords: ['tea'] },
  steps: [
    { do: 'message' as const, type: 'viber' as const, sender: 'TEA', text: 'Welcome!' },
    { do: 'wait' as const, amount: 3, unit: 'days' as const },
    { do: 'tag' as const, add: ['welcomed'] },
  ],
  timeZone: 'UTC',
};
const automation = async ({ owner }: Scene): Promise<string> =>
  (await owner.api(automations.create, { body })).id;

export const AUTOMATIONS: SamplesOf<'automations'> = {
  automations: {
    find: (s) => listing('automations', automation(s)),
    get: (s) => byId('automations', automation(s)),
    counts: (s) => byId('automations', automation(s)),
    runs: (s) => byId('automations', automation(s)),
    create: async (s) => creating(s, { body }),
    update: (s) => byId('automations', automation(s), { body: { isActive: true } }),
    remove: (s) => byId('automations', automation(s)),
  },
};
