import type { LoaderFunctionArgs } from 'react-router';
import { enter } from '../core/guard.ts';

/** Data of every page behind the sign-in: settings, the user and the shell's texts. */
export function shellLoader(args: LoaderFunctionArgs): Promise<Response | null> {
  return enter(args, '/', ['shell', 'list']);
}
