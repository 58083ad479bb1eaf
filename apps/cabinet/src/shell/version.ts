import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../core/query.ts';
import { keysOf } from '../core/query-keys.ts';
import { settingsQuery } from '../core/settings.ts';

const POLL_MS = 60_000;

/** Of the server's version in the cache of queries. */
export const versionKey = keysOf('version').all;

let loaded: string | undefined;

/** The version that this tab was loaded with; settings that are refetched later may contain a newer one. */
export function loadedVersion(): string {
  return (loaded ??= queryClient.getQueryData(settingsQuery.queryKey)?.version ?? '');
}

async function present(signal: AbortSignal): Promise<string> {
  const answer = await fetch('/version.json', { cache: 'no-cache', signal });
  const { version } = (await answer.json()) as { version: string };
  return version;
}

/** The server's version when it differs from this tab's; polled once a minute. */
export function useNewVersion(): string | null {
  const { data } = useQuery({
    queryKey: versionKey,
    queryFn: ({ signal }) => present(signal),
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: false,
    staleTime: POLL_MS,
    retry: false,
  });
  return data && loadedVersion() && data !== loadedVersion() ? data : null;
}
