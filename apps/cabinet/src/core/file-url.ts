import { NoAnswer, storage, TICKET_SECONDS, urlOf } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { api, withToken } from './api.ts';
import { keysOf } from './query-keys.ts';
import { session } from './session/session.ts';

/** A link this old is replaced when it is next needed. */
const STALE_MS = (TICKET_SECONDS / 2) * 1000;

interface FileUrl {
  /** Undefined until it is known. */
  url: string | undefined;
  /** Requests another link if this one has expired. */
  renewExpired: () => void;
}

/**
 * The address of a stored file for an image or a player, which cannot send the session in a header. It carries a ticket of this one
 * file instead of the session, because addresses end up in histories and logs.
 */
export function useFileUrl(id: string | null): FileUrl {
  const { data, refetch } = useQuery({
    queryKey: keysOf('storage').of('ticket', id),
    queryFn: () => api(storage.ticket, { params: { id: id! } }),
    enabled: id !== null,
    staleTime: STALE_MS,
    gcTime: STALE_MS,
    // Another address would stop what plays.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return {
    url: data?.url,
    renewExpired: () => {
      if (data && Date.parse(data.expiresAt) <= session.now()) void refetch();
    },
  };
}

/** The contents of a stored file, for what paints them itself. */
export async function fileBytes(id: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const url = `/api${urlOf(storage.get, { params: { id }, query: {} })}`;
  const answer = await withToken((token) =>
    fetch(url, { headers: { authorization: token ?? '' }, signal }),
  );
  if (!answer.ok) throw new NoAnswer();
  return answer.arrayBuffer();
}
