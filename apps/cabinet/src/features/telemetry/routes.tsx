import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

/** A tab of the account page. */
export const telemetryRoutes: RouteObject[] = [
  page({
    path: '/account/telemetry',
    title: 'telemetry:title',
    namespaces: ['telemetry', 'security'],
    load: async () => ({ Component: (await import('./visits-page.tsx')).VisitsPage }),
    prepare: async () => (await import('./visits-page.tsx')).prepare(),
  }),
];
