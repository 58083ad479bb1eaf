import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const channelRoutes: RouteObject[] = [
  page({
    path: '/channels',
    title: 'channels:title',
    can: 'channels.get',
    accept: 'managerUp',
    // Why a test message failed is said as of any message.
    namespaces: ['channels', 'sendings'],
    load: async () => ({ Component: (await import('./channels-page.tsx')).ChannelsPage }),
  }),
];
