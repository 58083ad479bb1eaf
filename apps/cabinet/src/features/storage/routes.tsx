import type { RouteObject } from 'react-router';
import { page } from '../../core/page.ts';

const storagePage = page({
  path: '/storage',
  title: 'storage:title',
  namespaces: ['storage'],
  load: async () => ({ Component: (await import('./storage-page.tsx')).StoragePage }),
  prepare: async () => (await import('./storage-page.tsx')).prepare(),
});

export const storageRoutes: RouteObject[] = [
  // With `create` it is the page itself with the upload open.
  { ...storagePage, index: false, children: [{ path: 'create', handle: storagePage.handle }] },
];
