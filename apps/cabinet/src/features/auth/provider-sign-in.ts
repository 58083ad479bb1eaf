import { identities, type OfferedProvider } from '@heliograph/contract';
import { api } from '../../core/api.ts';
import { leaveForProvider } from '../../core/provider-visit.ts';
import { startSession } from './sign-in.ts';

export async function offeredProviders(): Promise<OfferedProvider[]> {
  return (await api(identities.offered)).data;
}

/** Leaves for the page of the provider. `to` is the page to go to afterwards. */
export async function leaveToSignIn(id: string, to: string | null): Promise<void> {
  const { url } = await api(identities.start, { params: { id } });
  leaveForProvider(url, { isLinking: false, to });
}

/** Starts a session by the answer of the provider. */
export async function signInByProvider(id: string, answer: string): Promise<void> {
  startSession(await api(identities.signIn, { params: { id }, body: { answer } }));
}

/** Starts it by a code, after the second factor was asked for. */
export async function confirmSignIn(id: string, code: string): Promise<void> {
  startSession(await api(identities.confirm, { params: { id }, body: { code } }));
}

/** Links the user by the answer of the provider. */
export async function linkIdentity(id: string, answer: string): Promise<void> {
  await api(identities.create, { params: { id }, body: { answer } });
}
