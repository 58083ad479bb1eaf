import type { Endpoint } from './endpoint.ts';
import { isListQuery } from './list.ts';

/** Rate limit: number of requests in `seconds`, per account, per session and, without a session, per network. */
export interface Rate {
  seconds: number;
  account?: number;
  session?: number;
  network?: number;
}

/** Rate limits by class of request. An installation can configure other values. */
export const RATES = {
  /** Other reads. */
  read: { seconds: 60, account: 30_000 },
  /** Lists. A request with a search counts `SEARCH_WEIGHT` times. */
  list: { seconds: 60, account: 3600, session: 1800 },
  /** Other changes. */
  write: { seconds: 60, account: 6000, session: 3000 },
  /** Messages. A bulk counts `BULK_WEIGHT` times. */
  message: { seconds: 10, account: 10_000 },
  estimate: { seconds: 60, account: 600, session: 300 },
  /** Uploads and imports. */
  file: { seconds: 60, account: 600, session: 300 },
  /** Requests without a session. */
  public: { seconds: 60, network: 1200 },
  /** Files of the cabinet and pages of the documentation. Many people may share a network, and a page loads many files. */
  document: { seconds: 60, network: 30_000 },
  /** Widgets of one-time codes; many people may share a network. */
  otp: { seconds: 60, account: 30_000, network: 1200 },
  login: { seconds: 60, network: 120 },
  /** Keys and codes that could be guessed. */
  lookup: { seconds: 60, network: 60 },
  /** Calls of other programs, with a secret in the path. Many accounts may be served from one network. */
  inbound: { seconds: 60, network: 12_000 },
  /** Requests with an invalid token or signature. */
  refused: { seconds: 60, network: 300 },
  /** Unknown short links. Above the limit, the network cannot follow any. */
  missed: { seconds: 60, network: 120 },
  /** Not counted: health checks and signed requests of carriers. */
  free: { seconds: 60 },
} as const satisfies Record<string, Rate>;
export type Cost = keyof typeof RATES;

export const SEARCH_WEIGHT = 4;
/** Of requests with several recipients. */
export const BULK_WEIGHT = 20;

/** The rate limit class of an endpoint: its `cost`, or else derived from its definition. */
export function costOf({ cost, query, method, can, upload }: Endpoint): Cost {
  if (cost) return cost;
  if (can === 'carrier') return 'free';
  if (can === 'public') return 'public';
  if (upload) return 'file';
  if (query && isListQuery(query)) return 'list';
  return method === 'GET' ? 'read' : 'write';
}
