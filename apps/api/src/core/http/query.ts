import { QueryToken, Scoped, type Endpoint } from '@heliograph/contract';
import * as z from 'zod';
import { parse } from './validation.ts';

/** Of a call without parameters. */
const Bare = z.strictObject({ token: QueryToken });

/**
 * Parses a query. Unknown parameters are refused, so that a filter that an endpoint does not have is not ignored. Clients send
 * `$scope` and `return` with every row that they read. `_` is that of scripts which keep browsers from caching, `access_token`
 * that of libraries which send a token in the URL too; it signs nobody in.
 */
export function readQuery(def: Endpoint, given: Record<string, unknown>): unknown {
  const { _, access_token, ...query } = given;
  if (def.query) return parse(def.query, query);
  if (!def.anyQuery) parse(def.method === 'GET' && def.params ? Scoped : Bare, query);
  return undefined;
}
