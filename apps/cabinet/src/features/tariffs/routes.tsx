import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

// Price lists are chosen among the files.
const CATALOGUE = ['tariffCatalogue', 'tariffs', 'storage'];

export const tariffRoutes: RouteObject[] = [
  page({
    path: '/tariffs',
    title: 'tariffs:title',
    namespaces: ['tariffs', 'sendernames', 'monthlyMinimum'],
    load: async () => ({ Component: (await import('./tariffs-page.tsx')).TariffsPage }),
    prepare: async () => (await import('./tariffs-page.tsx')).prepare(),
  }),
  page({
    path: '/tariffCatalogue',
    title: 'tariffCatalogue:title',
    namespaces: CATALOGUE,
    load: async () => ({ Component: (await import('./catalogue-page.tsx')).CataloguePage }),
  }),
  page({
    path: '/tariffCatalogue/create',
    title: 'tariffCatalogue:createTitle',
    namespaces: CATALOGUE,
    load: async () => ({ Component: (await import('./tariff-page.tsx')).CreateTariffPage }),
  }),
  page({
    path: '/tariffCatalogue/:id',
    title: 'tariffCatalogue:detail',
    namespaces: CATALOGUE,
    load: async () => ({ Component: (await import('./tariff-page.tsx')).EditTariffPage }),
  }),
];
