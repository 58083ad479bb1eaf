import type { ErrorBody } from '@heliograph/contract';
import type { Person, World } from './world.ts';

export interface RawAnswer {
  status: number;
  headers: Headers;
  // Whatever came: a test says what it expects.
  json: any;
}

/** A call as it goes over the wire, where a test looks at statuses and headers or sends what the client would not. */
export async function raw(
  world: World,
  who: Pick<Person, 'token'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const answer = await fetch(`${world.base}/api${path}`, {
    method,
    headers: { authorization: who.token, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    json: text ? (JSON.parse(text) as unknown) : null,
  };
}

/** The fields that a refusal names. */
export function fieldsOf({ json }: RawAnswer): string[] {
  return ((json as ErrorBody).data ?? []).map((d) => d.field);
}
