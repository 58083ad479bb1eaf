import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const tariffRoutes: RouteObject[] = [
  page({
    path: '/tariffs',
    title: 'tariffs:title',
    namespaces: ['tariffs', 'sendernames'],
    load: async () => ({ Component: (await import('./tariffs-page.tsx')).TariffsPage }),
    prepare: async () => (await import('./tariffs-page.tsx')).prepare(),
  }),
];
