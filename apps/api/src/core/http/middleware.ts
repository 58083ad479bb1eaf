import { contract, costOf, type Endpoint } from '@heliograph/contract';
import type { NextFunction, Response } from 'express';
import { uuidv7 } from '../uuid.ts';
import { logContext, redactUrl, type Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ProcessReports } from '../process-reports.ts';
import type { AppRequest } from './endpoint.ts';

const PREFIX = '/api';
/** The paths of lists, as their routes have them. */
const LISTS = new Set(
  Object.values(contract)
    .flatMap((endpoints) => Object.values(endpoints as Record<string, Endpoint>))
    .filter((def) => def.method === 'GET' && costOf(def) === 'list')
    .map(({ path }) => PREFIX + path),
);

/** Adds a request id to every response and log line, and logs and measures each request when it ends. */
export function requestLog(log: Log, metrics: Metrics, reports: ProcessReports) {
  return (request: AppRequest, response: Response, next: NextFunction): void => {
    const given = request.headers['x-request-id'];
    request.requestId = typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : uuidv7();
    response.set('x-request-id', request.requestId);
    const started = performance.now();
    logContext.run({ requestId: request.requestId }, () => {
      response.on('finish', () => {
        const ms = Math.round(performance.now() - started);
        // Unmatched paths share one label: clients choose them freely.
        const route = (request.route as { path?: string } | undefined)?.path ?? 'other';
        metrics.request(request.method, route, response.statusCode, ms / 1000);
        const { statusCode } = response;
        // What is refused says nothing of the list; what took too long does.
        if (request.method === 'GET' && LISTS.has(route) && (statusCode < 300 || statusCode > 499))
          reports.listTook(`GET ${route.slice(PREFIX.length)}`, ms);
        log.debug(
          {
            method: request.method,
            url: redactUrl(request.originalUrl),
            status: response.statusCode,
            ms,
          },
          'request',
        );
      });
      next();
    });
  };
}
