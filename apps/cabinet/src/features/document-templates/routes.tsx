import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

const shared = {
  accept: 'managerUp',
  isForLegalPayers: true,
  namespaces: ['documentTemplates', 'storage'],
} as const;

/** The templates of contracts, invoices and acts, and the pages of their editor. */
export const documentTemplateRoutes: RouteObject[] = [
  page({
    ...shared,
    path: '/documentTemplates',
    title: 'documentTemplates:title',
    namespaces: [...shared.namespaces],
    load: async () => ({
      Component: (await import('./document-templates-page.tsx')).DocumentTemplatesPage,
    }),
  }),
  page({
    ...shared,
    path: '/documentTemplates/create',
    title: 'documentTemplates:createTitle',
    namespaces: [...shared.namespaces],
    load: async () => ({
      Component: (await import('./template-page.tsx')).CreateTemplatePage,
    }),
  }),
  page({
    ...shared,
    path: '/documentTemplates/:id',
    title: 'documentTemplates:detail',
    namespaces: [...shared.namespaces],
    load: async () => ({
      Component: (await import('./template-page.tsx')).EditTemplatePage,
    }),
  }),
];
