import { redirect, type LoaderFunctionArgs } from 'react-router';
import { accessOf, isOffered, lackedFor, type PagePath } from './access.ts';
import { meQuery } from './account.ts';
import { loadTexts } from './i18n/i18n.ts';
import { adoptPersonal } from './personal/sync.ts';
import { queryClient } from './query.ts';
import { session } from './session/session.ts';
import { settingsQuery } from './settings.ts';

/** The sign-in page, with the page to return to. */
export function loginPath(url: URL): string {
  const to = url.pathname + url.search;
  return to === '/' ? '/login' : `/login?to=${encodeURIComponent(to)}`;
}

/** Redirects to the sign-in page without a session and to the forbidden page without the permission; otherwise loads what the page needs. */
export async function enter(
  { request }: LoaderFunctionArgs,
  path: PagePath,
  namespaces: string[],
): Promise<Response | null> {
  if (!session.token()) return redirect(loginPath(new URL(request.url)));
  const texts = loadTexts(namespaces);
  try {
    const [settings] = await Promise.all([
      queryClient.ensureQueryData(settingsQuery),
      queryClient.ensureQueryData(meQuery),
      texts,
    ]);
    await adoptPersonal(settings);
    if (settings.session.mustSetUpSecondFactor) {
      const { pathname, search } = new URL(request.url);
      return redirect(`/second-factor?to=${encodeURIComponent(pathname + search)}`);
    }
    const access = accessOf(path);
    const lacked = lackedFor(access, settings.permissions);
    if (lacked) return redirect(`/forbidden?need=${lacked}`);
    return isOffered(access, settings) ? null : redirect('/');
  } catch (error) {
    // The session has ended during the request: show the sign-in page instead of an error.
    if (!session.token()) return redirect(loginPath(new URL(request.url)));
    throw error;
  }
}
