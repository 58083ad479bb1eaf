import type { RouteObject } from 'react-router';
import { onNewPath, type PageHandle } from '../../core/page.ts';
import { fetched } from '../../core/lost-chunk.ts';

/** For everybody: inside the shell with a session, in a frame of its own without one. */
export const documentationRoutes: RouteObject[] = [
  '/documentation',
  '/documentation/:category/*',
].map((path) => ({
  path,
  handle: { title: 'common:documentation' } satisfies PageHandle,
  shouldRevalidate: onNewPath,
  lazy: {
    loader: async () =>
      (await fetched(() => import('./documentation-page.tsx'))).documentationLoader,
    Component: async () =>
      (await fetched(() => import('./documentation-page.tsx'))).DocumentationPage,
  },
}));
