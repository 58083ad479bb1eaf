import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

/** A tab of the balance page. */
export const referralRoutes: RouteObject[] = [
  page({
    path: '/balance/referrals',
    title: 'referrals:title',
    namespaces: ['referrals', 'billings'],
    load: async () => ({ Component: (await import('./referrals-page.tsx')).ReferralsPage }),
    prepare: async () => (await import('./referrals-page.tsx')).prepare(),
  }),
];
