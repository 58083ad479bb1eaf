import { redirect, type LoaderFunctionArgs } from 'react-router';
import { accessOf, mayOpenWith, type MayOpen, type PagePath } from './access.ts';
import { loginPath } from './guard.ts';
import { queryClient } from './query.ts';
import { session } from './session/session.ts';
import { settingsQuery } from './settings.ts';

interface Part {
  to: PagePath;
}

/**
 * The loader of a page whose parts are its child routes: the path of the page itself redirects to the part that `?tab=`
 * names, else to the first that the user may open. The parts have their own loaders. Who may
 * open none is told what `main` needs.
 */
export const partsEntry =
  (path: string, partsOf: (mayOpen: MayOpen) => readonly Part[], main: PagePath) =>
  async ({ request }: LoaderFunctionArgs): Promise<Response | null> => {
    const url = new URL(request.url);
    if (!session.token()) return redirect(loginPath(url));
    const parts = partsOf(mayOpenWith(await queryClient.ensureQueryData(settingsQuery)));
    const [first] = parts;
    if (!first) return redirect(`/forbidden?need=${accessOf(main).can?.[0]}`);
    if (url.pathname.replace(/\/$/, '') !== path) return null;
    const tab = url.searchParams.get('tab');
    return redirect((parts.find(({ to }) => to === `${path}/${tab}`) ?? first).to);
  };
