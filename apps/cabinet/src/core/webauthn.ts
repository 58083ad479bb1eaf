import type {
  NewCredential,
  PasskeyCreation,
  PasskeyRequest,
  SignedCredential,
} from '@heliograph/contract';
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';

/** Why a device made or used no passkey: `known` has one already, `cancelled` was refused by the person or took too long. */
export type PasskeyFailure = 'known' | 'cancelled' | 'failed';

/** Thrown where a device makes or uses no passkey. */
export class NoPasskey extends Error {
  constructor(
    readonly reason: PasskeyFailure,
    cause: unknown,
  ) {
    super(`No passkey: ${reason}`, { cause });
  }
}

/** Lets the browser make a passkey. Throws `NoPasskey`. */
export async function newCredential(options: PasskeyCreation): Promise<NewCredential> {
  const { id, response } = await startRegistration({ optionsJSON: options as never }).catch(refuse);
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, clientDataJSON, attestationObject, transports };
}

/** Lets the browser sign with a passkey that the person chooses. Throws `NoPasskey`. */
export async function signedCredential(options: PasskeyRequest): Promise<SignedCredential> {
  const { id, response } = await startAuthentication({ optionsJSON: options }).catch(refuse);
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, clientDataJSON, authenticatorData, signature };
}

function refuse(error: unknown): never {
  throw new NoPasskey(reasonOf(error), error);
}

function reasonOf(error: unknown): PasskeyFailure {
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'known';
  const isCancelled = error instanceof Error && /^(NotAllowed|Abort)Error$/.test(error.name);
  return isCancelled ? 'cancelled' : 'failed';
}
