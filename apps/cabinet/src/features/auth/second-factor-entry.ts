import { redirect, type LoaderFunctionArgs } from 'react-router';
import { loginPath } from '../../core/guard.ts';
import { loadTexts } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { session } from '../../core/session/session.ts';
import { settingsQuery } from '../../core/settings.ts';

/** The page is for users who are signed in and have no second factor yet, although their level requires one. */
export async function enterSetup({ request }: LoaderFunctionArgs): Promise<Response | null> {
  if (!session.token()) return redirect(loginPath(new URL(request.url)));
  const [settings] = await Promise.all([
    queryClient.ensureQueryData(settingsQuery),
    loadTexts(['auth', 'security']),
  ]);
  return settings.session.mustSetUpSecondFactor ? null : redirect('/');
}
