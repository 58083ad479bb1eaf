import { can, settings, type Permission, type Preset, type Settings } from '@heliograph/contract';
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { mayOpenWith, type MayOpen } from './access.ts';
import { api } from './api.ts';
import { keysOf } from './query-keys.ts';

export const settingsQuery = queryOptions({
  queryKey: keysOf('settings').all,
  queryFn: ({ signal }) => api(settings.get, { signal }),
  staleTime: 5 * 60_000,
});

/** Inside the shell: its loader has fetched them. */
export function useSettings(): Settings {
  return useSuspenseQuery(settingsQuery).data;
}

/** Whether the user has the permission, at one of these levels. `const can = useCan(); can('tasks.remove')`. */
export function useCan(): (permission: Permission, accept?: Preset) => boolean {
  const { data } = useQuery(settingsQuery);
  const permissions = data?.permissions;
  return useCallback(
    (permission, accept) => !!permissions && can(permissions, permission, accept),
    [permissions],
  );
}

/** Whether the user may open a page: `const mayOpen = useMayOpen(); mayOpen('/contacts')`. */
export function useMayOpen(): MayOpen {
  const settings = useSettings();
  return useMemo(() => mayOpenWith(settings), [settings]);
}
