import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from './metrics.ts';

/**
 * `GET /metrics` for whoever operates the installation: without a configured token it is not there, also not on the
 * loopback address, where a proxy of the same machine would open it to everyone.
 */
export function metricsEndpoint({ registry }: Metrics, token: string | undefined) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!token || request.method !== 'GET') return void response.writeHead(404).end();
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) {
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    }
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  };
}

/** In a time that tells nothing of where they differ. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
