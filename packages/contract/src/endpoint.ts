import * as z from 'zod';
import type { AuditAction } from './audit-actions.ts';
import type { Permission, Preset } from './permissions.ts';
import type { Cost } from './rates.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `public` needs no session; `session` any session; `carrier` is signed by a channel's secret. */
export type Access = Permission | 'public' | 'session' | 'carrier';

/** What a body may have unless its endpoint names more. */
export const BODY_LIMIT = 64 * 1024;

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
  /** 200 unless said otherwise. */
  status?: number;
  /** The answer of each status, where there are several; `response` is any of them. */
  responses?: Record<number, z.ZodType>;
  can: Access;
  /** The levels at which the permission must be held. */
  accept?: Preset;
  /** May the body's or query's OwnerId name another account within reach? */
  owner?: 'read' | 'write';
  /** Bytes that the JSON body may have; `BODY_LIMIT` unless said otherwise. */
  bodyLimit?: number;
  /** The body may come form-encoded as well as in JSON. */
  form?: true;
  /** `file`: multipart or raw upload. `bytes`: the answer is a download. */
  upload?: true;
  download?: true;
  /** What a call is counted as; what its shape tells unless said otherwise (`rates.ts`). */
  cost?: Cost;
  /** The items of the body are checked one by one by the handler, which answers for each. */
  perItemResults?: true;
  /** Effects that must not happen twice take `Idempotency-Key`. */
  idempotent?: true;
  /** Success is written to the audit log under this name, whoever calls. */
  audit?: AuditAction;
  /** A GET that changes something: kept for clients that know no other way, and answered to no page of elsewhere. */
  mutates?: true;
  /** The path takes PATCH as well as PUT. */
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

/** An endpoint as data: the route, the server's validation, the OpenAPI document and the client all read it. */
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

/** What a handler gets: parsed values. */
export type ParsedRequest<E extends Endpoint> = {
  params: z.output<NonNullable<E['params']>>;
  query: z.output<NonNullable<E['query']>>;
  body: z.output<NonNullable<E['body']>>;
};

/** What a handler returns. */
export type ResponseOf<E extends Endpoint> = z.input<E['response']>;
