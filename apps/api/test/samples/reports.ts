import { reports } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

const report = async ({ owner }: Scene): Promise<string> =>
  (await owner.api(reports.create, { body: { preset: 'sendings.byDay' } })).key;

export const REPORTS: SamplesOf<'reports'> = {
  reports: {
    find: (s) => listing('reports', report(s)),
    get: (s) => byId('reports', report(s)),
    create: async (s) => creating(s, { body: { preset: 'billings.details' as const } }),
    cancel: (s) => byId('reports', report(s)),
    remove: (s) => byId('reports', report(s)),
  },
};
