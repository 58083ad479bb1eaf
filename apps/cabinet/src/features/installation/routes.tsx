import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const installationRoutes: RouteObject[] = [
  page({
    path: '/installation',
    title: 'installation:title',
    namespaces: ['installation'],
    load: async () => ({ Component: (await import('./installation-page.tsx')).InstallationPage }),
  }),
  page({
    path: '/installation/settings',
    title: 'installationSettings:title',
    namespaces: ['installation', 'installationSettings'],
    load: async () => ({
      Component: (await import('./installation-settings-page.tsx')).InstallationSettingsPage,
    }),
  }),
];
