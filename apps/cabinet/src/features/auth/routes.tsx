import { redirect, type RouteObject } from 'react-router';
import { loadTexts } from '../../core/i18n/i18n.ts';
import { session } from '../../core/session/session.ts';

/** The pages for those who are not signed in; whoever is goes home. */
export const authRoutes: RouteObject[] = [
  {
    path: '/login',
    loader: async () => {
      if (session.token()) return redirect('/');
      await loadTexts(['auth']);
      return null;
    },
    lazy: { Component: async () => (await import('./login-page.tsx')).LoginPage },
  },
];
