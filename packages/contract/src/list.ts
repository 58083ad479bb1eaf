import * as z from 'zod';
import { endpoint, ById, Removed } from './endpoint.ts';
import type { AuditAction } from './audit-actions.ts';
import type { Permission, Preset } from './permissions.ts';
import { aliasConflict, arrayOf, queryInt, QueryToken, text, Time, line } from './fields.ts';

/** As client programs of this API family ask for. */
export const MAX_LIMIT = 500;
export const COUNT_CAP = 10_000;

interface ListOptions<
  F extends z.ZodRawShape,
  O extends string,
  S extends string,
  G extends string,
> {
  /** Fields that may be ordered by; the first is the default, descending. */
  order: readonly [O, ...O[]];
  filter?: F;
  /** Fields that take `field[$gt]` and `field[$lt]` with a time. */
  range?: readonly G[];
  scope?: readonly S[];
  search?: boolean;
  limit?: number;
  /** The time of a change, by which the list is followed: `field[$gt]` alone orders by it, ascending. */
  followed?: O & G;
}

export interface Range {
  $gt?: string;
  $lt?: string;
}

/** Parsed query of a list, used by the client and the server. */
export interface ListQuery<
  F = Record<string, unknown>,
  O extends string = string,
  S extends string = string,
  G extends string = string,
> {
  offset: number;
  limit: number;
  order: { field: O; direction: 'asc' | 'desc' }[];
  search?: string;
  scope: S[];
  filter: F;
  range: Partial<Record<G, Range>>;
}

const direction = text(4)
  .toLowerCase()
  .pipe(z.enum(['asc', 'desc']));

const DIRECTIONS = /^(asc|desc)$/i;
/** `-createdAt`, `createdAt:desc` or `createdAt desc`. */
function pairOf(written: string): string[] {
  const [name, way = 'asc'] = written.trim().replace(/^-/, '').split(/[: ]/);
  return [name!, written.trim().startsWith('-') ? 'desc' : way];
}

/**
 * Accepts `$order[0][0]=createdAt&$order[0][1]=desc`, `$order[0]=createdAt&$order[1]=desc`, and in one string or in several
 * (`$order[0]=`) `createdAt:desc,id`, `createdAt desc` and `-createdAt`.
 */
function orderSchema<O extends string>(fields: readonly [O, ...O[]]) {
  const pair = z.tuple([z.enum(fields), direction.default('asc')]);
  const split = (v: unknown) => {
    if (typeof v === 'string') return v.split(',').map(pairOf);
    if (!Array.isArray(v)) return v;
    const isPair = v.length === 2 && DIRECTIONS.test(String(v[1]));
    if (isPair && typeof v[0] === 'string') return [v];
    return v.map((part: unknown) => (typeof part === 'string' ? pairOf(part) : part));
  };
  return z.preprocess(split, arrayOf(pair, { min: 1, max: 4 }));
}

const list = (v: unknown) => (v === undefined || Array.isArray(v) ? v : String(v).split(','));

/** Declares the query parameters of a list and parses them into `ListQuery`. Undeclared parameters are refused. */
export function listQuery<
  F extends z.ZodRawShape = {},
  O extends string = string,
  S extends string = never,
  G extends string = never,
>(options: ListOptions<F, O, S, G>) {
  const range = z.strictObject({ $gt: Time.optional(), $lt: Time.optional() });
  const ranges = Object.fromEntries((options.range ?? []).map((name) => [name, range.optional()]));
  const filters = Object.fromEntries(
    Object.entries(options.filter ?? {}).map(([name, schema]) => [
      name,
      z.optional(schema as z.ZodType),
    ]),
  );
  const search = { $search: line(200).optional() };
  const scope = z.preprocess(
    list,
    arrayOf(z.enum([...(options.scope ?? []), 'full'] as string[]), { max: 20 }).optional(),
  );
  const wire = z.strictObject({
    ...((options.search ? search : {}) as typeof search),
    /** Limited to `COUNT_CAP`. Rows beyond it can be reached with a filter, a time range or a cursor. */
    $offset: queryInt(0, COUNT_CAP).default(0),
    $limit: queryInt(1, MAX_LIMIT).default(options.limit ?? 16),
    $order: options.followed
      ? orderSchema(options.order).optional()
      : orderSchema(options.order).default([[options.order[0], 'desc']]),
    $scope: scope,
    /** As single rows take it. */
    scope,
    token: QueryToken,
    ...filters,
    ...ranges,
  });
  // A cursor is an id, and ids increase with the time of the default order.
  const [byTime] = options.order;
  const { followed } = options;
  const orderOf = (q: object & { $order?: [O, 'asc' | 'desc'][] | undefined }) => {
    const range = followed && (q as { [name: string]: Range | undefined })[followed];
    const isFollowed = range?.$gt && !range.$lt;
    const byDefault: [O, 'asc' | 'desc'][] =
      followed && isFollowed ? [[followed, 'asc']] : [[byTime, 'desc']];
    return q.$order ?? byDefault;
  };
  /** Refinements run on an order that was refused as well, so it may be empty. */
  const firstOf = (q: Parameters<typeof orderOf>[0]) => orderOf(q)[0] ?? [byTime, 'desc'];
  const scoped = wire.superRefine(checkScope);
  const ordered = scoped
    .refine((q) => !('cursor' in q) || firstOf(q)[0] === byTime, {
      path: ['cursor'],
      message: `A cursor requires sorting by ${byTime}.`,
    })
    .refine((q) => firstOf(q)[0] !== followed || firstOf(q)[1] === 'asc', {
      path: ['$order'],
      message: `Changes are ordered by ${followed}, ascending.`,
    })
    // Rows that change meanwhile would move the others to pages that have been read.
    .refine((q) => firstOf(q)[0] !== followed || q.$offset === 0, {
      path: ['$offset'],
      message: `The next changes are those after the greatest ${followed}: there is no offset.`,
    });
  const query = ordered.transform(
    (q): ListQuery<{ [K in keyof F]?: z.output<F[K]> }, O, S | 'full', G> => {
      const pick = (names: string[]) =>
        Object.fromEntries(
          names
            .filter((n) => q[n as keyof typeof q] !== undefined)
            .map((n) => [n, q[n as keyof typeof q]]),
        );
      return {
        offset: q.$offset,
        limit: q.$limit,
        order: orderOf(q).map(([field, way]) => ({ field, direction: way })),
        search: q.$search || undefined,
        scope: (q.$scope ?? q.scope ?? []) as S[],
        filter: pick(Object.keys(filters)) as { [K in keyof F]?: z.output<F[K]> },
        range: pick(Object.keys(ranges)) as Partial<Record<G, Range>>,
      };
    },
  );
  LIST_QUERIES.add(query);
  return query;
}

function checkScope(
  { $scope, scope }: { $scope?: string[]; scope?: string[] },
  ctx: z.RefinementCtx,
): void {
  const isConflict = $scope && scope && [...$scope].sort().join() !== [...scope].sort().join();
  if (isConflict) ctx.addIssue(aliasConflict('scope'));
}

const LIST_QUERIES = new WeakSet<z.ZodType>();
/** Whether a schema was created by `listQuery`. */
export const isListQuery = (schema: z.ZodType): boolean => LIST_QUERIES.has(schema);

/** `{ data, total, limit, offset }`. `total` is exact up to `COUNT_CAP` and capped beyond. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    total: z.int(),
    totalIsCapped: z.boolean().optional(),
    limit: z.int(),
    offset: z.int(),
  });
}
export interface Page<T> {
  data: T[];
  total: number;
  totalIsCapped?: boolean;
  limit: number;
  offset: number;
}

/** The five endpoints of a resource. Permissions are `{name}.get|create|update|remove`. */
export function crud<
  I extends z.ZodType,
  C extends z.ZodType,
  U extends z.ZodType,
  Q extends z.ZodType,
  R extends z.ZodType = I,
>(
  name: string,
  options: {
    item: I;
    /** Schema of list rows, if it differs from `item`. */
    row?: R;
    input: C;
    update: U;
    query: Q;
    /** The name in permissions, if it differs from the path. */
    permission?: string;
    owner?: 'read' | 'write';
    /** Its rows belong to the installation, not to accounts. */
    isShared?: true;
    /** All changes are written to the audit log. */
    audit?: true;
    /** Levels that may call. */
    accept?: Preset;
    /** API tokens are refused. */
    sessionOnly?: true;
    /** All are refused in an installation for individuals only. */
    refusedInRestrictedMode?: true;
    /** Of `create` and `update`. */
    lasting?: 'refused' | 'announced';
    /** That `create` counts. */
    quota?: string;
    /** Of `create` and `update`, in bytes. */
    bodyLimit?: number;
  },
) {
  const base = `/${name}`;
  const one = `${base}/:id`;
  const can = (action: string) => `${options.permission ?? name}.${action}` as Permission;
  const audit = (action: string) =>
    options.audit && (`${options.permission ?? name}.${action}` as AuditAction);
  const {
    item,
    input,
    update,
    query,
    owner,
    quota,
    lasting,
    bodyLimit,
    sessionOnly,
    refusedInRestrictedMode,
    accept,
  } = options;
  const row = (options.row ?? item) as R;
  return {
    find: endpoint('GET', base, {
      query,
      response: page(row),
      can: can('get'),
      sessionOnly,
      refusedInRestrictedMode,
      accept,
      owner: options.isShared ? undefined : 'read',
    }),
    get: endpoint('GET', one, {
      params: ById,
      query: Scoped,
      response: item,
      can: can('get'),
      sessionOnly,
      refusedInRestrictedMode,
      accept,
    }),
    create: endpoint('POST', base, {
      body: input,
      bodyLimit,
      response: item,
      status: 201,
      can: can('create'),
      idempotent: true,
      quota,
      lasting,
      sessionOnly,
      refusedInRestrictedMode,
      accept,
      audit: audit('create'),
      owner,
    }),
    update: endpoint('PUT', one, {
      params: ById,
      body: update,
      bodyLimit,
      response: item,
      can: can('update'),
      lasting,
      sessionOnly,
      refusedInRestrictedMode,
      accept,
      audit: audit('update'),
      alias: 'PATCH',
    }),
    remove: endpoint('DELETE', one, {
      params: ById,
      response: Removed,
      can: can('remove'),
      sessionOnly,
      refusedInRestrictedMode,
      accept,
      audit: audit('remove'),
    }),
  };
}

/** Query of single rows: `?$scope[0]=full` or `?scope=full` selects optional fields. */
export const Scoped = z
  .strictObject({
    $scope: z.preprocess(list, arrayOf(text(40), { max: 20 }).optional()),
    scope: z.preprocess(list, arrayOf(text(40), { max: 20 }).optional()),
    return: text(40).optional(),
    token: QueryToken,
  })
  .superRefine(checkScope)
  .transform((q) => ({ scope: q.$scope ?? q.scope ?? [], return: q.return }));
