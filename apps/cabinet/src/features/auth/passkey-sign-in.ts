import { passkeys } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { NoPasskey, signedCredential, type PasskeyFailure } from '../../core/webauthn.ts';
import { startSession } from './sign-in.ts';

/** Starts a session by a passkey; why the device gave none, else null. Refusals of the server are thrown. */
export async function signInByPasskey(): Promise<PasskeyFailure | null> {
  const options = await api(passkeys.signInOptions);
  try {
    const credential = await signedCredential(options);
    startSession(await api(passkeys.signIn, { body: { credential } }));
    return null;
  } catch (error) {
    if (error instanceof NoPasskey) return error.reason;
    throw error;
  }
}
