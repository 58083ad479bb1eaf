import { Scoped, type Endpoint } from '@heliograph/contract';
import { parse } from './validation.ts';

/**
 * Parses a query. Unknown parameters are refused, so that a filter that an endpoint does not have is not ignored. Clients send
 * `$scope` and `return` with every call. `_` is that of scripts which keep browsers from caching, `access_token` that of libraries
 * which send a token in the URL too; it signs nobody in.
 */
export function readQuery(def: Endpoint, given: Record<string, unknown>): unknown {
  const { _, access_token, ...query } = given;
  if (def.query) return parse(def.query, query);
  if (!def.anyQuery) parse(Scoped, query);
  return undefined;
}
