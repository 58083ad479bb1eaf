import { redirect, type RouteObject } from 'react-router';
import { loadTexts } from '../../core/i18n/i18n.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { session } from '../../core/session/session.ts';

/** A signed-in user is redirected to the home page. */
async function forStrangers() {
  if (session.token()) return redirect('/');
  await loadTexts(['auth']);
  return null;
}

async function forAnybody() {
  await loadTexts(['auth']);
  return null;
}

/** For users who must set up a second factor before anything else. */
export const secondFactorRoutes: RouteObject[] = [
  {
    path: '/second-factor',
    lazy: {
      loader: async () => (await fetched(() => import('./second-factor-entry.ts'))).enterSetup,
      Component: async () =>
        (await fetched(() => import('./second-factor-page.tsx'))).SecondFactorPage,
    },
  },
];

/** The pages for those who are not signed in. */
export const authRoutes: RouteObject[] = [
  {
    path: '/login',
    loader: forStrangers,
    lazy: { Component: async () => (await fetched(() => import('./login-page.tsx'))).LoginPage },
  },
  {
    path: '/login/oidc/:id',
    loader: forAnybody,
    lazy: {
      Component: async () => (await fetched(() => import('./provider-page.tsx'))).ProviderPage,
    },
  },
  {
    path: '/setup',
    loader: forStrangers,
    lazy: { Component: async () => (await fetched(() => import('./setup-page.tsx'))).SetupPage },
  },
  {
    path: '/registration',
    loader: forStrangers,
    lazy: {
      Component: async () =>
        (await fetched(() => import('./registration-page.tsx'))).RegistrationPage,
    },
  },
  {
    path: '/recover',
    loader: forStrangers,
    lazy: {
      Component: async () => (await fetched(() => import('./recover-page.tsx'))).RecoverPage,
    },
  },
  {
    path: '/recover/:key',
    loader: forStrangers,
    lazy: {
      Component: async () =>
        (await fetched(() => import('./new-password-page.tsx'))).NewPasswordPage,
    },
  },
  {
    path: '/confirm',
    loader: forAnybody,
    lazy: {
      Component: async () => (await fetched(() => import('./confirm-page.tsx'))).ConfirmPage,
    },
  },
];
