import { auth, type Credentials } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { session } from '../../core/session/session.ts';
import { browserStorage } from '../../core/browser-storage.ts';
import { noteVisit } from '../telemetry/place.api.ts';
import { LAST_USERNAME } from './credentials.ts';

/** Starts a session and records the visit. Signing in neither waits for the record nor fails with it. */
export async function signIn(credentials: Credentials): Promise<void> {
  const { token } = await api(auth.login, { body: credentials });
  browserStorage.set(LAST_USERNAME, credentials.username);
  session.start(token);
  void noteVisit().catch((error: unknown) => console.info(error));
}
