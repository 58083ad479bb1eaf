import * as z from 'zod';
import { endpoint } from './endpoint.ts';

const Health = z.object({
  status: z.enum(['ready', 'starting']),
  checks: z.object({ database: z.boolean(), redis: z.boolean(), migrations: z.boolean() }),
  version: z.string(),
});

export const health = {
  /** 200 when database, Redis and migrations are ready, else 503 with the same body. */
  get: endpoint('GET', '/health', { response: Health, can: 'public' }),
};
