import * as z from 'zod';
import type { AuditAction } from './audit-actions.ts';
import type { Permission, Preset } from './permissions.ts';
import type { Cost } from './rates.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `public` needs no session; `session` any session; `carrier` is signed by the secret of a channel or an acquirer. */
export type Access = Permission | 'public' | 'session' | 'carrier';

/** Maximum size of a JSON body in bytes, unless the endpoint sets another. */
export const BODY_LIMIT = 64 * 1024;

/** Limits of the rows that calls add, besides quotas, money and rates. */
export const BOUNDS = {
  nothing: 'no rows are added',
  limiter: 'calls are counted by account, address or network',
  code: 'each code of a session has a limited number of calls',
  message: 'messages cost money, and those that are refused are counted',
} as const;

export interface EndpointOptions<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> {
  params?: P;
  query?: Q;
  body?: B;
  response: R;
  /** Defaults to 200. */
  status?: number;
  /** Response schema by status, where there are several; `response` is their union. */
  responses?: Record<number, z.ZodType>;
  can: Access;
  /** Of a public endpoint: the permission that a caller with a session or a token needs. Without a header they are a visitor. */
  orWith?: Permission;
  /** The levels at which the permission must be held. */
  accept?: Preset;
  /** Whether `OwnerId` in the body or query can name another account that the caller has access to. */
  owner?: 'read' | 'write';
  /** Called through links and by programs that add parameters of their own: unknown ones are ignored, not refused. */
  anyQuery?: true;
  /** In bytes; defaults to `BODY_LIMIT`. */
  bodyLimit?: number;
  /** Fields of all objects of a JSON body together; 20,000 unless the endpoint sets another number. */
  maxFields?: number;
  /** Accepts form-encoded bodies as well as JSON. */
  form?: true;
  /**
   * Called by systems in words of their own: JSON and forms come under any name of their type, or none, and in the charset that they
   * name. Integers beyond 2^53 are texts. Accepts a mail (`message/rfc822`) as well, as the field `message`.
   */
  foreign?: true;
  /** The body is a multipart or raw file. */
  upload?: true;
  /** The handler waits for an event without a database connection. */
  longPoll?: true;
  /** Requests of visitors that run at the same time share their statements, so that many of them take few database connections. */
  sharesStatements?: true;
  /** The response is a file. */
  download?: true;
  /** Rate limit class; by default derived from the endpoint (`costOf`). */
  cost?: Cost;
  /** The quota of the account that counts what it adds. */
  quota?: string;
  /** What else limits the rows that it adds, if neither a quota nor its rate does (`boundOf`). */
  bound?: keyof typeof BOUNDS;
  /** The handler validates the items of the body one by one and returns a result for each. */
  perItemResults?: true;
  /** Accepts `Idempotency-Key`. `calls`: the handler calls another party before its effect or about it, or makes a file of it. */
  idempotent?: true | 'calls';
  /** The field of the body with a new password: the rules of the installation are checked together with those of the other fields. */
  newPassword?: string;
  /** The response has a secret that no other one shows. */
  showsSecret?: true;
  /** Charges an account, moves its money or opens a payment: may be refused with 402. */
  charges?: true;
  /** Not of every installation; elsewhere it is `not_found`. */
  optional?: true;
  /** A test token may call it, as it may all that only reads: what it does is itself a test, or changes nothing. */
  forTests?: true;
  /** Account security and money: refused with `session_required` for a caller with an API token. */
  sessionOnly?: true;
  /**
   * What it changes acts when the session is over. In a session opened by login-as it is `refused` (`borrowed_session`), or `announced` to the
   * account, as is the change by another account.
   */
  lasting?: 'refused' | 'announced';
  /** Refused with `forbidden` in an installation for individuals only (`RESTRICTED_MODE`). */
  refusedInRestrictedMode?: true;
  /** Every success is written to the audit log under this name. */
  audit?: AuditAction;
  /** A GET with side effects, kept for older clients. Refused for requests from other sites. */
  mutates?: true;
  /** Can be called by a user whose level requires a second factor before it is set up. */
  beforeSecondFactor?: true;
  /** Another method of the same path with the same effect. */
  alias?: Method;
  summary?: string;
}

export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> extends EndpointOptions<P, Q, B, R> {
  method: Method;
  path: string;
}

/** Whether a test token may call an endpoint: others act on what is real. */
export const isForTests = ({ method, mutates, forTests }: Endpoint): boolean =>
  forTests === true || (method === 'GET' && !mutates);

/** Defines an endpoint as data, for the route, the validation, the OpenAPI document and the client. */
export function endpoint<
  R extends z.ZodType,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
>(method: Method, path: string, options: EndpointOptions<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return { method, path, ...options };
}

export const ById = z.object({ id: z.guid() });
export const Removed = z.object({ id: z.guid() });

/** The parsed request that a handler receives. */
export type ParsedRequest<E extends Endpoint> = {
  params: z.output<NonNullable<E['params']>>;
  query: z.output<NonNullable<E['query']>>;
  body: z.output<NonNullable<E['body']>>;
};

/** The response that a handler returns. */
export type ResponseOf<E extends Endpoint> = z.input<E['response']>;
