import { auth, type Credentials, type Session } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { session } from '../../core/session/session.ts';
import { browserStorage } from '../../core/browser-storage.ts';
import { noteVisit } from '../telemetry/place.api.ts';
import { LAST_USERNAME } from './credentials.ts';

/** Signs in with username and password. */
export async function signIn(credentials: Credentials): Promise<void> {
  startSession(await api(auth.login, { body: credentials }));
}

/** Starts a session and records the visit. Signing in neither waits for the record nor fails with it. */
export function startSession({ token, username }: Session): void {
  browserStorage.set(LAST_USERNAME, username);
  session.start(token);
  void noteVisit().catch((error: unknown) => console.info(error));
}
