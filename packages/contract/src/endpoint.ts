import * as z from 'zod';
import type { Permission, Preset } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `public` needs no session; `session` any session; `carrier` is signed by a channel's secret. */
export type Access = Permission | 'public' | 'session' | 'carrier';

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
  can: Access;
  /** The levels at which the permission must be held. */
  accept?: Preset;
  /** May the body's or query's OwnerId name another account within reach? */
  owner?: 'read' | 'write';
  /** `file`: multipart or raw upload. `bytes`: the answer is a download. */
  upload?: true;
  download?: true;
  /** Effects that must not happen twice take `Idempotency-Key`. */
  idempotent?: true;
  /** The path takes PATCH as well as PUT. */
  also?: Method;
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
export type Parsed<E extends Endpoint> = {
  params: z.output<NonNullable<E['params']>>;
  query: z.output<NonNullable<E['query']>>;
  body: z.output<NonNullable<E['body']>>;
};

/** What a handler returns. */
export type Answer<E extends Endpoint> = z.input<E['response']>;
