import { contactLists, recurringSendings } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { byId, listing, type SamplesOf } from './sample.ts';

async function weekly({ owner }: Scene) {
  const list = { title: 'Guests', type: 'regular' as const };
  const { id } = await owner.api(contactLists.create, { body: list });
  return {
    title: 'Tea of the week',
    type: 'viber' as const,
    payload: { sender: 'TEA', text: 'Oolong is back' },
    recipient: { include: [id] },
    frequency: 'weekly' as const,
    weekdays: [1],
    time: '09:00',
    timeZone: 'UTC',
  };
}
const recurring = async (scene: Scene): Promise<string> =>
  (await scene.owner.api(recurringSendings.create, { body: await weekly(scene) })).id;

export const RECURRING: SamplesOf<'recurringSendings'> = {
  recurringSendings: {
    find: (s) => listing('recurring_sendings', recurring(s)),
    get: (s) => byId('recurring_sendings', recurring(s)),
    next: (s) => byId('recurring_sendings', recurring(s)),
    runs: (s) => byId('recurring_sendings', recurring(s)),
    create: async (s) => {
      const body = await weekly(s);
      return {
        call: { body },
        row: ['contact_lists', body.recipient.include[0]!],
        others: 'nothing',
      };
    },
    update: (s) => byId('recurring_sendings', recurring(s), { body: { time: '10:00' } }),
    remove: (s) => byId('recurring_sendings', recurring(s)),
  },
};
