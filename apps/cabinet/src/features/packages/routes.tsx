import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const packageRoutes: RouteObject[] = [
  page({
    path: '/packageOffers',
    title: 'packageOffers:title',
    namespaces: ['packageOffers', 'packages'],
    load: async () => ({ Component: (await import('./offers-page.tsx')).OffersPage }),
  }),
];
