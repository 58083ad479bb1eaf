import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

/** A tab of the balance page. */
export const billingRoutes: RouteObject[] = [
  page({
    path: '/balance/billings',
    title: 'billings:title',
    namespaces: ['billings', 'packages', 'reports', 'spendCaps'],
    load: async () => ({ Component: (await import('./billings-page.tsx')).BillingsPage }),
  }),
];
