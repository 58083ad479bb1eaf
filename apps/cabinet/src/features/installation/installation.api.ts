import { health, installation } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { pollEvery } from '../../core/query.ts';
import { actOnRow, sendBody } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';

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

export const installationSettingsQuery = queryOptions({
  queryKey: keysOf('installation').of('settings'),
  queryFn: ({ signal }) => api(installation.settings, { signal }),
});

// The settings of the session have what is offered.
export const useChangeSettings = sendBody(installation.update, 'installation', 'settings', 'audit');

export const useRetryJob = actOnRow(installation.retryJob, 'installation', 'audit');
export const useRetryJobs = sendBody(installation.retryJobs, 'installation', 'audit');
export const useRemoveJob = actOnRow(installation.removeJob, 'installation', 'audit');

export function useTestMail() {
  return useMutationOnce({
    mutationFn: (_: void) => api(installation.testMail, {}),
    meta: { showsErrors: true },
  });
}
