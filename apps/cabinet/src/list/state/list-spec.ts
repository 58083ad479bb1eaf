import type { Endpoint, ListQuery, Page } from '@heliograph/contract';
import type * as z from 'zod';
import type { Noun } from '../../core/query-keys.ts';

/** How a filter's value is read from the URL; unknown values of a closed set are dropped. */
export type FilterKind = { many: boolean; of?: readonly string[]; isPeriod?: true };

export const manyOf = (of: readonly string[]): FilterKind => ({ many: true, of });
export const oneOf = (of: readonly string[]): FilterKind => ({ many: false, of });
export const text: FilterKind = { many: false };
/** A second period, beside the list's own. */
export const span: FilterKind = { many: false, isPeriod: true };

/** Page sizes of the lists of an account; messages have 16, 32 and 64. `listSpec(endpoint, { ...ACCOUNT_SIZES })`. */
export const ACCOUNT_SIZES = { size: 20, sizes: [20, 40, 80] } as const;

/** An endpoint that answers a page of rows to a `ListQuery`. */
export type FindEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<Page<unknown>>>;
export type RowOf<E extends FindEndpoint> = z.output<E['response']>['data'][number] & {
  id: string;
};

type QueryOf<E extends FindEndpoint> =
  z.output<NonNullable<E['query']>> extends ListQuery<infer F, infer O, infer S, infer G>
    ? { filter: keyof F & string; order: O; scope: S; range: G }
    : never;

export interface ListSpec<E extends FindEndpoint = FindEndpoint> {
  endpoint: E;
  /** The noun on the wire, by the endpoint's path. */
  resource: Noun;
  /** The user's view settings are stored under it; two lists of one noun have two names. */
  name: string;
  filters: Record<string, FilterKind>;
  /** Fields of the contract that columns may order by; the first one, descending, is the default. */
  order: readonly string[];
  period?: string;
  search?: boolean;
  scope: readonly string[];
  size: number;
  sizes: readonly number[];
}

/** Declares the filters, orders and page sizes of a list. Only names that the contract's `listQuery` declares compile. */
export function listSpec<E extends FindEndpoint>(
  endpoint: E,
  options: {
    filters?: Partial<Record<QueryOf<E>['filter'] | QueryOf<E>['range'], FilterKind>>;
    order: readonly [QueryOf<E>['order'], ...QueryOf<E>['order'][]];
    period?: QueryOf<E>['range'];
    search?: boolean;
    scope?: readonly QueryOf<E>['scope'][];
    size?: number;
    sizes?: readonly number[];
    name?: string;
    /** Of a path whose first part is not the noun. */
    resource?: Noun;
  },
): ListSpec<E> {
  const { filters = {}, scope = [], size = 16, sizes = [16, 32, 64], ...rest } = options;
  const resource = options.resource ?? (endpoint.path.split('/')[1] as Noun);
  return {
    endpoint,
    resource,
    name: resource,
    filters: filters as Record<string, FilterKind>,
    scope,
    size,
    sizes,
    ...rest,
  };
}
