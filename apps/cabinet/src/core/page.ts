import type { Permission, Preset } from '@heliograph/contract';
import type { ComponentType } from 'react';
import type { RouteObject, ShouldRevalidateFunction } from 'react-router';
import { fetched } from './lost-chunk.ts';

export interface PageHandle {
  /** Key of the page's name: the document's title and what is announced after navigation. */
  title: string;
}

interface PageOptions {
  path: string;
  title: string;
  /** All of them, where there are several. */
  can?: Permission | Permission[];
  accept?: Preset;
  /** Catalogues that the page needs before it is drawn. */
  namespaces?: string[];
  load: () => Promise<{ Component: ComponentType }>;
  /** What has to be there beside before it is drawn. */
  prepare?: () => Promise<unknown>;
}

/** A filter or a drawer changes the URL too; the page is entered anew only when its path changes. */
export const onNewPath: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) =>
  currentUrl.pathname !== nextUrl.pathname;

/** A page of the signed-in cabinet: its right, its texts and its code, all fetched while the bar runs. */
export function page({
  path,
  title,
  can,
  accept,
  namespaces = [],
  load,
  prepare,
}: PageOptions): RouteObject {
  return {
    path,
    handle: { title } satisfies PageHandle,
    shouldRevalidate: onNewPath,
    lazy: {
      loader: async () => {
        const { enter } = await fetched(() => import('./guard.ts'));
        return async (args) => {
          const elsewhere = await enter(args, { can, accept, namespaces });
          if (!elsewhere && prepare) await fetched(prepare);
          return elsewhere;
        };
      },
      Component: async () => (await fetched(load)).Component,
    },
  };
}
