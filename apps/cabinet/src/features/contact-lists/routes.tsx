import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const contactListRoutes: RouteObject[] = [
  page({
    path: '/contacts',
    title: 'contactLists:title',
    namespaces: ['contactLists'],
    load: async () => ({ Component: (await import('./contact-lists-page.tsx')).ContactListsPage }),
  }),
  page({
    path: '/contacts/segments',
    title: 'contactLists:segments.title',
    namespaces: ['contactLists'],
    load: async () => ({
      Component: (await import('./segments/segments-page.tsx')).SegmentsPage,
    }),
  }),
  page({
    path: '/contacts/forms',
    title: 'signupForms:title',
    namespaces: ['signupForms', 'contactLists'],
    load: async () => ({
      Component: (await import('./signup-forms/signup-forms-page.tsx')).SignupFormsPage,
    }),
  }),
  page({
    path: '/contacts/:id',
    title: 'contactLists:contact.title',
    namespaces: ['contactLists'],
    load: async () => ({ Component: (await import('./contacts/contacts-page.tsx')).ContactsPage }),
  }),
];
