import { requisites } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { REQUISITE } from './parties.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

export { REQUISITE };

const requisite = async ({ owner }: Scene) =>
  (await owner.api(requisites.create, { body: REQUISITE })).id;

export const REQUISITES: SamplesOf<'requisites'> = {
  requisites: {
    find: (s) => listing('requisites', requisite(s)),
    get: (s) => byId('requisites', requisite(s)),
    create: async (s) => creating(s, { body: REQUISITE }),
    update: (s) => byId('requisites', requisite(s), { body: { title: 'Tea House' } }),
    remove: (s) => byId('requisites', requisite(s)),
  },
};
