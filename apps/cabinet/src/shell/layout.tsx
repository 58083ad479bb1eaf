import type { ComponentType } from 'react';
import { useLoaderData, type LoaderFunctionArgs } from 'react-router';
import { loadTexts } from '../core/i18n/i18n.ts';
import { fetched } from '../core/lost-chunk.ts';
import { isOpenPage } from '../core/open-pages.ts';
import { session } from '../core/session/session.ts';

type Kind = 'shell' | 'clear';

const frames: Partial<Record<Kind, ComponentType>> = {};

/** Loads the frame that the page is drawn in, with its data. Open pages without a session have a frame without a menu. */
export async function layoutLoader(args: LoaderFunctionArgs): Promise<Response | Kind> {
  const isClear = !session.token() && isOpenPage(new URL(args.request.url).pathname);
  if (isClear) {
    const [{ ClearFrame }] = await Promise.all([
      fetched(() => import('./clear-frame.tsx')),
      loadTexts(['shell']),
    ]);
    frames.clear = ClearFrame;
    return 'clear';
  }
  const [{ shellLoader }, { Shell }] = await Promise.all([
    fetched(() => import('./shell-loader.ts')),
    fetched(() => import('./shell.tsx')),
  ]);
  frames.shell = Shell;
  return (await shellLoader(args)) ?? 'shell';
}

/** The frame of the page. */
export function Layout() {
  const Frame = frames[useLoaderData<Kind>()]!;
  return <Frame />;
}
