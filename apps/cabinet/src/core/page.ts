import type { Permission, Preset } from '@heliograph/contract';
import type { ComponentType } from 'react';
import type { RouteObject, ShouldRevalidateFunction } from 'react-router';
import { fetched } from './lost-chunk.ts';
import type { Offer } from './offered.ts';

export interface PageHandle {
  /** Key of the page's name: the document's title, announced after navigation. */
  title: string;
}

interface PageOptions extends Offer {
  path: string;
  title: string;
  /** All of them, where there are several. */
  can?: Permission | Permission[];
  accept?: Preset;
  /** Text namespaces that the page needs before it is drawn. */
  namespaces?: string[];
  load: () => Promise<{ Component: ComponentType }>;
  /** Loads what the page needs besides its code before it is drawn. */
  prepare?: () => Promise<unknown>;
}

/** Filters and drawers change the URL too; loaders run again only when the path changes. */
export const onNewPath: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) =>
  currentUrl.pathname !== nextUrl.pathname;

/** A page behind the sign-in: its permission, its texts and its code, all loaded while the progress bar is shown. */
export function page({
  path,
  title,
  can,
  accept,
  isForLegalPayers,
  isForMainBrand,
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
          const entry = { can, accept, isForLegalPayers, isForMainBrand, namespaces };
          const elsewhere = await enter(args, entry);
          if (!elsewhere && prepare) await fetched(prepare);
          return elsewhere;
        };
      },
      Component: async () => (await fetched(load)).Component,
    },
  };
}
