import { can, type Permission, type Preset } from '@heliograph/contract';
import { redirect, type LoaderFunctionArgs } from 'react-router';
import { loginPath } from './guard.ts';
import { queryClient } from './query.ts';
import { session } from './session/session.ts';
import { settingsQuery } from './settings.ts';

interface Part {
  to: string;
  can: Permission;
}
type Can = (permission: Permission, accept?: Preset) => boolean;

/**
 * The loader of a page whose parts are its child routes: the path of the page itself redirects to the part that `?tab=`
 * names, else to the first that the user may open. The parts have their own loaders.
 */
export const partsEntry =
  (path: string, partsOf: (can: Can) => readonly Part[], needed: Permission) =>
  async ({ request }: LoaderFunctionArgs): Promise<Response | null> => {
    const url = new URL(request.url);
    if (!session.token()) return redirect(loginPath(url));
    const { permissions } = await queryClient.ensureQueryData(settingsQuery);
    const parts = partsOf((permission, accept) => can(permissions, permission, accept));
    const [first] = parts;
    if (!first) return redirect(`/forbidden?need=${needed}`);
    if (url.pathname.replace(/\/$/, '') !== path) return null;
    const tab = url.searchParams.get('tab');
    return redirect((parts.find(({ to }) => to === `${path}/${tab}`) ?? first).to);
  };
