import * as z from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * `degraded`: messages are accepted, but Redis or the store of files is not available. `starting`: migrations are pending. `stopping`: the process is
 * shutting down. `unavailable`: the database does not respond.
 */
const Status = z.enum(['ready', 'degraded', 'starting', 'stopping', 'unavailable']);

const Readiness = z.object({
  status: Status,
  checks: z.object({
    database: z.boolean(),
    migrations: z.boolean(),
    redis: z.boolean(),
    files: z.boolean(),
  }),
});

export const health = {
  /** As `ready`, with the version and the build: the commit that it was made of. */
  get: endpoint('GET', '/health', {
    response: Readiness.extend({ version: z.string(), build: z.string() }),
    can: 'public',
    cost: 'free',
    anyQuery: true,
  }),
  /** 200 as long as the process responds, independent of other services. */
  live: endpoint('GET', '/health/live', {
    summary: 'Check that the process responds',
    response: z.object({ status: z.literal('live') }),
    can: 'public',
    cost: 'free',
    anyQuery: true,
  }),
  /** 200 when `ready` or `degraded`, else 503 with the same body. */
  ready: endpoint('GET', '/health/ready', {
    summary: 'Check that the process can serve requests',
    response: Readiness,
    can: 'public',
    cost: 'free',
    anyQuery: true,
  }),
};
