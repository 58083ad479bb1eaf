import { can } from '@heliograph/contract';
import { redirect, type LoaderFunctionArgs } from 'react-router';
import { loginPath } from '../core/guard.ts';
import { queryClient } from '../core/query.ts';
import { session } from '../core/session/session.ts';
import { settingsQuery } from '../core/settings.ts';
import { MESSAGES, messageParts } from './navigation.ts';

/** `/messages` redirects to the first part that the user may read, outgoing for most; the parts have their own loaders. */
export async function messagesEntry({ request }: LoaderFunctionArgs): Promise<Response | null> {
  const url = new URL(request.url);
  if (!session.token()) return redirect(loginPath(url));
  const { permissions } = await queryClient.ensureQueryData(settingsQuery);
  const [first] = messageParts((item, accept) => can(permissions, item, accept));
  if (!first) return redirect(`/forbidden?need=${MESSAGES[0]!.can}`);
  return /^\/messages\/?$/.test(url.pathname) ? redirect(first.to) : null;
}
