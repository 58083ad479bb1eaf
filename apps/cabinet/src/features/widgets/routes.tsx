import type { RouteObject } from 'react-router';
import { fetched } from '../../core/lost-chunk.ts';
import { page } from '../../core/page.ts';

/** Widgets of one-time codes, and the channels and texts that they use, each on a tab. */
export const widgetRoutes: RouteObject[] = [
  {
    lazy: {
      Component: async () => (await fetched(() => import('./widgets-frame.tsx'))).WidgetsFrame,
    },
    children: [
      page({
        path: '/widgets',
        title: 'widgets:title',
        namespaces: ['widgets'],
        load: async () => ({ Component: (await import('./widgets-page.tsx')).WidgetsPage }),
      }),
      page({
        path: '/widgets/channels',
        title: 'widgets:channels.title',
        namespaces: ['widgets'],
        load: async () => ({
          Component: (await import('./otp-channels-page.tsx')).OtpChannelsPage,
        }),
      }),
      page({
        path: '/widgets/templates',
        title: 'widgets:templates.title',
        namespaces: ['widgets', 'sendernames'],
        load: async () => ({
          Component: (await import('./otp-templates-page.tsx')).OtpTemplatesPage,
        }),
      }),
    ],
  },
];
