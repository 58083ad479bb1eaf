import { ApiError, createClient, type Client } from '@heliograph/contract';
import { isSamePerson } from './session/session-time.ts';
import { session } from './session/session.ts';

let last: Promise<unknown> = Promise.resolve();

/** One after the other: in all tabs on a secure page, which has locks, otherwise in this tab. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks) return locks.request('heliograph.session', work);
  const mine = last.then(work);
  last = mine.catch(() => undefined);
  return mine;
}

/**
 * For a call with `token` that was answered with 401: the token that has replaced it meanwhile, with which the call can be
 * repeated. Otherwise the session ends here, once for all callers.
 */
export async function successorOf(token: string): Promise<string | null> {
  await inTurn(async () => session.sync());
  const now = session.token();
  if (now === token) session.end('expired');
  return now !== token && isSamePerson(now, token) ? now : null;
}

async function guarded(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const token = session.token();
  const answer = await fetch(input, init);
  const authorization = answer.status === 401 && token && (await successorOf(token));
  return authorization
    ? fetch(input, { ...init, headers: { ...(init?.headers as object), authorization } })
    : answer;
}

export const api = createClient({ base: '/api', token: session.token, fetch: guarded });
const unguarded = createClient({ base: '/api', token: session.token });

/**
 * Sends a call that replaces the session's token by the one in its answer, which `adopt` stores. The server ends the former
 * session before the answer arrives: what is refused meanwhile waits for it.
 */
export async function replaceToken(
  call: (client: Client) => Promise<{ token: string }>,
  adopt: (token: string) => void = session.renew,
): Promise<void> {
  try {
    await inTurn(async () => adopt((await call(unguarded)).token));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) session.end('expired');
    throw error;
  }
}
