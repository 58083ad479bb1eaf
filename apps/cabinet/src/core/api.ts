import { ApiError, createClient, urlOf, type Client } from '@heliograph/contract';
import { createIntents } from './idempotency.ts';
import { isSamePerson } from './session/session-time.ts';
import { session } from './session/session.ts';

let last: Promise<unknown> = Promise.resolve();

/** One after the other, each with the session that the former one left: in all tabs on a secure page, which has locks, otherwise in this tab. */
function inTurn<T>(work: () => T | Promise<T>): Promise<T> {
  const run = async () => {
    session.sync();
    return work();
  };
  const locks = navigator.locks as LockManager | undefined;
  if (locks) return locks.request('heliograph.session', run);
  const mine = last.then(run);
  last = mine.catch(() => undefined);
  return mine;
}

/**
 * For a call with `token` that was answered with 401: the token that has replaced it meanwhile. Otherwise the session ends here,
 * once for all callers.
 */
async function successorOf(token: string): Promise<string | null> {
  await inTurn(() => undefined);
  const now = session.token();
  if (now === token) session.end('expired');
  return now !== token && isSamePerson(now, token) ? now : null;
}

/** Sends a call with the session's token, and again if that was refused because another one has replaced it. */
export async function withToken<A extends { status: number }>(
  send: (token: string | null) => Promise<A>,
): Promise<A> {
  const token = session.token();
  const answer = await send(token);
  const successor = answer.status === 401 && token && (await successorOf(token));
  return successor ? send(successor) : answer;
}

const guarded = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
  withToken((token) => {
    const headers = { ...(init?.headers as object), ...(token && { authorization: token }) };
    return fetch(input, { ...init, headers });
  });

const send = createClient({ base: '/api', token: session.token, fetch: guarded });
const once = createIntents();

/** A call that may have its effect twice has a key, the same one until its answer is known. */
export const api: Client = (endpoint, ...args) => {
  if (!endpoint.idempotent) return send(endpoint, ...args);
  const [call = {}] = args;
  const intent = JSON.stringify([endpoint.method, urlOf(endpoint, call), call.body]);
  return once(intent, (key) =>
    (send as (...given: unknown[]) => ReturnType<typeof send<typeof endpoint>>)(endpoint, {
      ...call,
      headers: { ...call.headers, 'idempotency-key': key },
    }),
  );
};
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
