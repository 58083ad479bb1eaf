import { reports, reportSchedules } from '@heliograph/contract';
import type { Scene } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

const report = async ({ owner }: Scene): Promise<string> =>
  (await owner.api(reports.create, { body: { preset: 'sendings.byDay' } })).key;

const daily = {
  preset: 'sendings.byDay' as const,
  frequency: 'daily' as const,
  hour: 9,
  timeZone: 'UTC',
};
const schedule = async ({ owner }: Scene): Promise<string> =>
  (await owner.api(reportSchedules.create, { body: daily })).id;

export const REPORTS: SamplesOf<'reports' | 'reportSchedules'> = {
  reportSchedules: {
    find: (s) => listing('report_schedules', schedule(s)),
    get: (s) => byId('report_schedules', schedule(s)),
    create: async (s) => creating(s, { body: daily }),
    update: (s) => byId('report_schedules', schedule(s), { body: { hour: 10 } }),
    remove: (s) => byId('report_schedules', schedule(s)),
  },
  reports: {
    find: (s) => listing('reports', report(s)),
    get: (s) => byId('reports', report(s)),
    create: async (s) => creating(s, { body: { preset: 'billings.details' as const } }),
    cancel: (s) => byId('reports', report(s)),
    remove: (s) => byId('reports', report(s)),
  },
};
