import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameSecret } from '../http/same-secret.ts';
import type { Metrics } from './metrics.ts';

/**
 * `GET /metrics` for operators. 404 without a configured token, also on the loopback address, where a reverse proxy on the
 * same machine would expose it.
 */
export function metricsEndpoint({ registry }: Metrics, token: string | undefined) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!token || request.method !== 'GET') return void response.writeHead(404).end();
    if (!isSameSecret(request.headers.authorization, `Bearer ${token}`)) {
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    }
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  };
}
