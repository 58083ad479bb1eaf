import { health, installation } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { pollEvery } from '../../core/query.ts';

const EVERY_MS = 10_000;

export const installationQuery = queryOptions({
  queryKey: keysOf('installation').of('get'),
  queryFn: ({ signal }) => api(installation.get, { signal }),
  refetchInterval: pollEvery(EVERY_MS),
});

/** Whether what it needs answers. */
export const healthQuery = queryOptions({
  queryKey: keysOf('installation').of('health'),
  queryFn: ({ signal }) => api(health.get, { signal }),
  refetchInterval: pollEvery(EVERY_MS),
});
