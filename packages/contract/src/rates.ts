import type { Endpoint } from './endpoint.ts';
import { isListQuery } from './list.ts';

/** So many calls in so many seconds: of an account, of one of its sessions, and of a network where there is no session. */
export interface Rate {
  seconds: number;
  account?: number;
  session?: number;
  network?: number;
}

/** What a call is counted as, and how many there may be before it is refused. An installation may set other numbers. */
export const RATES = {
  /** Whatever else reads. */
  read: { seconds: 60, account: 30_000 },
  /** A list; one with a search counts `SEARCH_WEIGHT` times. */
  list: { seconds: 60, account: 3600, session: 1800 },
  /** Whatever else changes something. */
  write: { seconds: 60, account: 6000, session: 3000 },
  /** A message; a bulk counts `BULK_WEIGHT` times. */
  message: { seconds: 10, account: 10_000 },
  estimate: { seconds: 60, account: 600, session: 300 },
  /** A file comes in, or is read. */
  file: { seconds: 60, account: 600, session: 300 },
  /** Without a session. */
  public: { seconds: 60, network: 1200 },
  login: { seconds: 60, network: 120 },
  /** Keys and codes that could be guessed. */
  lookup: { seconds: 60, network: 60 },
  /** Calls whose token or signature was refused. */
  refused: { seconds: 60, network: 300 },
  /** Short links that there are none of; beyond, the network follows no link. */
  missed: { seconds: 60, network: 120 },
  /** Not counted: what tells whether a process is well, and what is signed by a carrier. */
  free: { seconds: 60 },
} as const satisfies Record<string, Rate>;
export type Cost = keyof typeof RATES;

export const SEARCH_WEIGHT = 4;
/** Of a call that sends to a list of recipients. */
export const BULK_WEIGHT = 20;

/** What an endpoint says, else what its shape tells. */
export function costOf({ cost, query, method, can, upload }: Endpoint): Cost {
  if (cost) return cost;
  if (can === 'carrier') return 'free';
  if (can === 'public') return 'public';
  if (upload) return 'file';
  if (query && isListQuery(query)) return 'list';
  return method === 'GET' ? 'read' : 'write';
}
