import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

/** A tab of the balance page. */
export const recurrentPaymentRoutes: RouteObject[] = [
  page({
    path: '/balance/recurrentPayments',
    title: 'recurrentPayments:title',
    namespaces: ['recurrentPayments', 'payments'],
    load: async () => ({
      Component: (await import('./recurrent-payments-page.tsx')).RecurrentPaymentsPage,
    }),
  }),
];
