import { contract, type Endpoint } from '@heliograph/contract';
import type { NextFunction, Request, Response } from 'express';

/** Paths with parameters as patterns, in the order of the contract, with the methods of each. */
const ROUTES = new Map<string, { pattern: RegExp; methods: string[] }>();
for (const { path, method, alias } of Object.values(contract).flatMap(
  (endpoints) => Object.values(endpoints) as Endpoint[],
)) {
  const route = ROUTES.get(path) ?? { pattern: patternOf(`/api${path}`), methods: [] };
  route.methods.push(method, ...(alias ? [alias] : []));
  ROUTES.set(path, route);
}
for (const path of ['/api/openapi.json', '/api/asyncapi.json', '/api/postman.json'])
  ROUTES.set(path, { pattern: patternOf(path), methods: ['GET'] });

/** As the router matches: without case, and with a slash at the end. */
function patternOf(path: string): RegExp {
  const literal = path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${literal}/?$`, 'i');
}

/** The methods of a path, for the header `Allow`; empty for a path that the API documents do not have. */
export function allowedMethods(path: string): string[] {
  const matching = [...ROUTES.values()].filter(({ pattern }) => pattern.test(path));
  const methods = new Set(matching.flatMap((route) => route.methods));
  if (!methods.size) return [];
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'].sort();
}

/** Answers `OPTIONS` with the methods of the path. Preflights of allowed origins are answered before, by CORS. */
export function answerOptions(request: Request, response: Response, next: NextFunction): void {
  const methods = request.method === 'OPTIONS' ? allowedMethods(request.path) : [];
  if (!methods.length) return next();
  response.status(204).set('allow', methods.join(', ')).end();
}
