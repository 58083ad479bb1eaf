import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const signupFormRoutes: RouteObject[] = [
  page({
    path: '/contacts/forms',
    title: 'signupForms:title',
    namespaces: ['signupForms', 'contactLists'],
    load: async () => ({ Component: (await import('./signup-forms-page.tsx')).SignupFormsPage }),
  }),
];
