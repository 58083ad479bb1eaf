import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

const namespaces = ['requisites'];

/** A tab of the account page, and the pages of its form. */
export const requisiteRoutes: RouteObject[] = [
  page({
    path: '/account/requisites',
    title: 'requisites:title',
    namespaces,
    load: async () => ({ Component: (await import('./requisites-page.tsx')).RequisitesPage }),
  }),
  page({
    path: '/account/requisites/create',
    title: 'requisites:createTitle',
    namespaces,
    load: async () => ({
      Component: (await import('./requisite-form-page.tsx')).CreateRequisitePage,
    }),
  }),
  page({
    path: '/account/requisites/:id',
    title: 'requisites:editTitle',
    namespaces,
    load: async () => ({
      Component: (await import('./requisite-form-page.tsx')).EditRequisitePage,
    }),
  }),
];
