import { telemetry } from '@heliograph/contract';
import { byId, creating, listing, MOSCOW, type SamplesOf } from './sample.ts';

export const ACTIVITY: SamplesOf<
  'analytics' | 'audit' | 'notifications' | 'settings' | 'summary' | 'telemetry'
> = {
  analytics: {
    get: async (s) =>
      creating(s, {
        query: { by: 'type', from: '2026-03-01T00:00:00Z', to: '2026-03-08T00:00:00Z' },
      }),
  },
  audit: {
    find: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'own' }),
  },
  notifications: {
    find: (s) => listing('notifications', s.notification()),
    get: (s) => byId('notifications', s.notification()),
    read: (s) => byId('notifications', s.notification()),
    readAll: async (s) => ({
      call: {},
      row: ['notifications', await s.notification()],
      others: 'own',
    }),
  },
  settings: { get: async (s) => creating(s, {}) },
  summary: { get: async (s) => creating(s, {}) },
  telemetry: {
    find: (s) => listing('visits', s.visit()),
    get: (s) => byId('visits', s.visit()),
    create: async (s) => creating(s, { body: {} }),
    consent: async (s) => creating(s, {}),
    decide: async (s) => creating(s, { body: { isAllowed: true } }),
    locate: async (s) => {
      await s.owner.api(telemetry.decide, { body: { isAllowed: true } });
      return byId('visits', s.visit(), { body: MOSCOW });
    },
  },
};
