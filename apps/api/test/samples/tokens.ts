import { tokens } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

const body = { description: 'Shop', ipWhitelist: ['127.0.0.1'] };
const token = async ({ owner }: Scene) => (await owner.api(tokens.create, { body })).id;

export const TOKENS: SamplesOf<'tokens'> = {
  tokens: {
    find: (s) => listing('tokens', token(s)),
    get: (s) => byId('tokens', token(s)),
    create: async (s) => creating(s, { body }),
    update: (s) => byId('tokens', token(s), { body: { description: 'Warehouse' } }),
    rotate: (s) => byId('tokens', token(s), { body: { overlapDays: 1 } }),
    remove: (s) => byId('tokens', token(s)),
  },
};
