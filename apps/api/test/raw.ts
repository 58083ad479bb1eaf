import type { ErrorBody } from '@heliograph/contract';
import request from 'supertest';
import { ERROR_NAMES } from '../src/features/documentation/error-pages.ts';
import type { Person, World } from './world.ts';

export interface RawAnswer {
  status: number;
  headers: Headers;
  // Tests state what they expect of it.
  json: any;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** A single HTTP call, for tests that check statuses and headers or send requests that the typed client would not. */
export async function raw(
  world: Pick<World, 'base'>,
  who: Pick<Person, 'token'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const call = request(world.base)
    [method.toLowerCase() as Lowercase<Method>](`/api${path}`)
    .set({ authorization: who.token, 'content-type': 'application/json', ...headers });
  const answer = await (body === undefined
    ? call
    : call.send(typeof body === 'string' ? body : JSON.stringify(body)));
  const json = answer.text ? (JSON.parse(answer.text) as unknown) : null;
  if (answer.status >= 400) checkPage(json);
  return {
    status: answer.status,
    headers: new Headers(answer.headers as Record<string, string>),
    json,
  };
}

/** Every error body has the address of a page that exists. Other answers of refusals have none. */
function checkPage(body: unknown): void {
  const { error, docs } = (body ?? {}) as Partial<ErrorBody>;
  if (typeof error !== 'number') return;
  const [, name] = /^https?:\/\/[^/]+\/documentation\/api\/errors\/(\w+)$/.exec(docs ?? '') ?? [];
  if (!name || !ERROR_NAMES.includes(name))
    throw new Error(`An error has no page: ${JSON.stringify(body)}`);
}

/** The fields that a refusal names. */
export function fieldsOf({ json }: RawAnswer): string[] {
  return ((json as ErrorBody).data ?? []).map((d) => d.field);
}
