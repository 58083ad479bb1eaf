import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const brandRoutes: RouteObject[] = [
  page({
    path: '/brand/:id?',
    title: 'brands:title',
    namespaces: ['brands'],
    load: async () => ({ Component: (await import('./brand-page.tsx')).BrandPage }),
  }),
];
