import * as z from 'zod';
import { endpoint } from './endpoint.ts';

/**
 * `degraded`: messages are taken, but Redis is away. `starting`: the database is not migrated. `stopping`: the process was
 * told to end. `unavailable`: the database does not answer.
 */
const Status = z.enum(['ready', 'degraded', 'starting', 'stopping', 'unavailable']);

const Readiness = z.object({
  status: Status,
  checks: z.object({ database: z.boolean(), migrations: z.boolean(), redis: z.boolean() }),
});

export const health = {
  /** As `ready`, with the version. */
  get: endpoint('GET', '/health', {
    response: Readiness.extend({ version: z.string() }),
    can: 'public',
    cost: 'free',
  }),
  /** 200 as long as the process answers; it asks nobody else. */
  live: endpoint('GET', '/health/live', {
    summary: 'Whether the process answers',
    response: z.object({ status: z.literal('live') }),
    can: 'public',
    cost: 'free',
  }),
  /** 200 when `ready` or `degraded`, else 503 with the same body. */
  ready: endpoint('GET', '/health/ready', {
    summary: 'Whether calls may be sent here, and what is not well',
    response: Readiness,
    can: 'public',
    cost: 'free',
  }),
};
