import { BOUNDS, type Endpoint } from './endpoint.ts';
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
  /** Changes of which somebody is told or a record is kept: people and programs configure, they do not do so all the time. */
  setting: { seconds: 3600, account: 7200, session: 3600 },
  /** Incoming messages that a program adds. */
  incoming: { seconds: 3600, account: 7200 },
  /** Visits of pages of the cabinet. */
  visit: { seconds: 3600, account: 3600, session: 1200 },
  /** Of single messages those that are refused. Above the limit they are neither stored nor answered with their reason. */
  refusedMessage: { seconds: 3600, account: 3600 },
  /** Parts of long messages over SMPP that became no message that is sent. Above the limit no more of them wait. */
  lostPart: { seconds: 600, account: 6000 },
  /** Single messages that are cancelled: their money is given back, and they remain. */
  cancelled: { seconds: 3600, account: 36_000 },
  /** Bulks that are not charged at once: they wait for their time, or are stretched. One counts for each started `LATER_PER_COUNT` typed recipients. */
  laterBulk: { seconds: 3600, account: 36_000 },
  /** Messages. A bulk counts `BULK_WEIGHT` times. */
  message: { seconds: 10, account: 10_000 },
  /** Messages of test tokens, which cost nothing. */
  testMessage: { seconds: 3600, account: 2000 },
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
/** Typed recipients of a bulk that waits for which it counts once. */
export const LATER_PER_COUNT = 500;
/** Messages with values of their own for which a call counts once. */
export const EACH_PER_COUNT = 10;

/** The rate limit class of an endpoint: its `cost`, or else derived from its definition. */
export function costOf({ cost, query, method, can, upload, audit, lasting }: Endpoint): Cost {
  if (cost) return cost;
  if (can === 'carrier') return 'free';
  if (can === 'public') return 'public';
  if (upload) return 'file';
  if (query && isListQuery(query)) return 'list';
  if (audit || lasting === 'announced') return 'setting';
  return method === 'GET' ? 'read' : 'write';
}

/** Rows that an account may add a day by calls of one kind if nothing else limits them: some hundred megabytes. */
export const MAX_ROWS_A_DAY = 1_000_000;

/**
 * What limits the rows that an account leaves by an endpoint: a quota, the money that each one costs, the calls of a day, or a limit of its
 * own. Null for an endpoint that adds rows without a limit, of which there must be none.
 */
export function boundOf(def: Endpoint): string | null {
  const { method, mutates, audit, lasting, quota, bound, charges } = def;
  if (method === 'GET' && !mutates) return BOUNDS.nothing;
  if (def.can === 'carrier') return 'signed by a carrier';
  const cost = costOf(def);
  const rate: Rate = RATES[cost];
  const calls = ((rate.account ?? rate.network ?? Infinity) * 86_400) / rate.seconds;
  const isRare = calls <= MAX_ROWS_A_DAY;
  // The audit log gets a row of every success, and the account is told of every change by another one.
  if ((audit || lasting === 'announced') && !isRare && !bound) return null;
  if (quota) return `quota ${quota}`;
  if (bound) return BOUNDS[bound];
  if (charges) return 'money';
  if (isRare) return `${cost}: ${calls} a day`;
  return method === 'POST' ? null : BOUNDS.nothing;
}
