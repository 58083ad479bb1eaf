import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

/** A tab of the balance page. */
export const invoiceRoutes: RouteObject[] = [
  page({
    path: '/balance/invoices',
    title: 'invoices:title',
    namespaces: ['invoices'],
    load: async () => ({ Component: (await import('./invoices-page.tsx')).InvoicesPage }),
  }),
];
