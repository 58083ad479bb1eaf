import type { LoaderFunctionArgs } from 'react-router';
import { enter } from '../core/guard.ts';

/** What every page behind the sign-in needs: settings, the person, and the shell's own texts. */
export function shellLoader(args: LoaderFunctionArgs): Promise<Response | null> {
  return enter(args, { namespaces: ['shell', 'list'] });
}
