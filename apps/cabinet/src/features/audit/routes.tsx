import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const auditRoutes: RouteObject[] = [
  page({
    path: '/audit',
    title: 'audit:title',
    namespaces: ['audit'],
    load: async () => ({ Component: (await import('./audit-page.tsx')).AuditPage }),
  }),
];

/** A tab of the account page. */
export const accountAuditRoutes: RouteObject[] = [
  page({
    path: '/account/audit',
    title: 'audit:own.title',
    namespaces: ['audit'],
    load: async () => ({ Component: (await import('./audit-page.tsx')).AccountAuditPage }),
  }),
];
