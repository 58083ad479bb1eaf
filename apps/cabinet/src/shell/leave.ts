import { auth } from '@heliograph/contract';
import { api } from '../core/api.ts';
import { session } from '../core/session/session.ts';

/** Signs out, or returns to the user's own account. The request to the server is not awaited. */
export async function leave(): Promise<void> {
  const { previous, reason } = session.get();
  // A second click, while the page of the own account is being loaded, must not sign out of that one.
  if (reason === 'returned') return;
  // Called while the token is still there to be named in the call.
  const loggedOut = api(auth.logout).catch(() => undefined);
  if (previous) session.back();
  else session.end('signedOut');
  await loggedOut;
}
