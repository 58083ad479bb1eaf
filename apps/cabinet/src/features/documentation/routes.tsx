import type { RouteObject } from 'react-router';
import type { PageHandle } from '../../core/page.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { loadTexts } from '../../core/i18n/i18n.ts';

/** For everybody: inside the shell with a session, in a frame of its own without one. */
export const documentationRoutes: RouteObject[] = [
  '/documentation',
  '/documentation/:category/*',
].map((path) => ({
  path,
  handle: { title: 'common:documentation' } satisfies PageHandle,
  loader: async () => {
    await loadTexts(['documentation']);
    return null;
  },
  lazy: {
    Component: async () =>
      (await fetched(() => import('./documentation-page.tsx'))).DocumentationPage,
  },
}));
