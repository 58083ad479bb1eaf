import { io, type Socket } from 'socket.io-client';
import type { Client } from './client.ts';

/** What a socket tells of changed rows: the rows, their ids, or their number if there were many. */
export type Change<T> =
  | { items: T[] }
  | { ids: string[] }
  | { groupId: string | null; count: number };

/**
 * Opens a socket on which changes come as events: `sendings.updated`, `tasks.updated`, `sendingsIncoming.created`.
 * Needs the package `socket.io-client`. Read what changed meanwhile on every `connect`.
 */
export function connect(client: Pick<Client, 'url' | 'token'>): Socket {
  return io(client.url, {
    transports: ['websocket'],
    auth: (send) => send({ token: client.token }),
  });
}
