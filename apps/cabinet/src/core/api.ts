import { createClient } from '@heliograph/contract';
import { session } from './session/session.ts';

/** A 401 ends the session here, once for all callers; the error still reaches the caller. */
async function guarded(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const token = session.token();
  const answer = await fetch(input, init);
  if (answer.status === 401 && token && token === session.token()) session.end('expired');
  return answer;
}

export const api = createClient({ base: '/api', token: session.token, fetch: guarded });
