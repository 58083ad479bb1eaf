import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

/** The companies that issue contracts, invoices and acts. */
export const companyRoutes: RouteObject[] = [
  page({
    path: '/companies',
    title: 'companies:title',
    // Their numbers are named as those of customers.
    namespaces: ['companies', 'requisites'],
    load: async () => ({ Component: (await import('./companies-page.tsx')).CompaniesPage }),
  }),
];
