import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

export const channelRoutes: RouteObject[] = [
  page({
    path: '/channels',
    title: 'channels:title',
    // The failure of a test message is shown with the texts of messages.
    namespaces: ['channels', 'sendings', 'shareShifts', 'purchasePrices'],
    load: async () => ({ Component: (await import('./channels-page.tsx')).ChannelsPage }),
  }),
];
