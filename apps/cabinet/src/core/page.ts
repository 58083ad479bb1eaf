import type { ComponentType } from 'react';
import type { RouteObject, ShouldRevalidateFunction } from 'react-router';
import type { PagePath } from './access.ts';
import { fetched } from './lost-chunk.ts';

export interface PageHandle {
  /** Key of the page's name: the document's title, announced after navigation. */
  title: string;
}

/** `/send/:template?` */
type OptionalPart = `${PagePath}/:${string}?`;

interface PageOptions {
  /** What it needs is in the table of access. */
  path: PagePath | OptionalPart;
  title: string;
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
export function page({ path, title, namespaces = [], load, prepare }: PageOptions): RouteObject {
  const plain = path.replace(/\/:\w+\?$/, '') as PagePath;
  return {
    path,
    handle: { title } satisfies PageHandle,
    shouldRevalidate: onNewPath,
    lazy: {
      loader: async () => {
        const { enter } = await fetched(() => import('./guard.ts'));
        return async (args) => {
          const elsewhere = await enter(args, plain, namespaces);
          if (!elsewhere && prepare) await fetched(prepare);
          return elsewhere;
        };
      },
      Component: async () => (await fetched(load)).Component,
    },
  };
}
