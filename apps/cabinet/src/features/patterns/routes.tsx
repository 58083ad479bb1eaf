import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const patternRoutes: RouteObject[] = [
  page({
    path: '/patterns',
    title: 'patterns:title',
    namespaces: ['patterns'],
    load: async () => ({ Component: (await import('./patterns-page.tsx')).PatternsPage }),
  }),
];
