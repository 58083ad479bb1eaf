import { COUNT_CAP } from '@heliograph/contract';
import { isUuid } from '@heliograph/domain';
import type { RequestPeriod, ListRequest } from '../../core/list-request.ts';
import { periodBounds } from '../../core/period.ts';
import type { FilterKind, ListSpec } from './list-spec.ts';

export interface ListOrder {
  field: string;
  direction: 'asc' | 'desc';
}

/** Filters, order and page of a list. The URL is their only store. */
export interface ListState {
  page: number;
  size: number;
  order: ListOrder;
  search: string;
  period: string;
  filters: Record<string, string[]>;
}

type Spec = Pick<ListSpec, 'filters' | 'order' | 'period' | 'search' | 'size' | 'sizes' | 'scope'>;

function defaultOrder(spec: Pick<Spec, 'order'>): ListOrder {
  return { field: spec.order[0]!, direction: 'desc' };
}

/** Reads the URL; invalid values fall back to their defaults. Parameters of older links (`groupId=`, `type=`) are read too. */
export function readState(params: URLSearchParams, spec: Spec): ListState {
  const filters: Record<string, string[]> = {};
  for (const [name, kind] of Object.entries(spec.filters)) {
    const values = kind.isPeriod ? readSpan(params, name) : readValues(params, name, kind);
    if (values.length) filters[name] = kind.many ? values : values.slice(0, 1);
  }
  const size = Number(params.get('size'));
  const shown = spec.sizes.includes(size) ? size : spec.size;
  return {
    page: readPage(params.get('page'), shown),
    size: shown,
    order: readOrder(params.get('order'), spec),
    search: spec.search ? (params.get('q') ?? '') : '',
    period: spec.period ? readPeriod(params, spec.period) : '',
    filters,
  };
}

/** A page beyond the server's count cap becomes the last one within it. */
function readPage(raw: string | null, size: number): number {
  const last = Math.ceil(COUNT_CAP / size);
  return Math.min(Math.max(1, Math.trunc(Number(raw)) || 1), last);
}

function readValues(params: URLSearchParams, name: string, { of }: FilterKind): string[] {
  // `id` alone is the row whose details are open. As a filter it would reduce the list to it, and stay when they are closed.
  const raw = params.get(`f.${name}`) ?? (name === 'id' ? null : params.get(name)) ?? '';
  // The server refuses the whole list for a filter by something else.
  const isId = name === 'id' || name.endsWith('Id');
  return raw.split(',').filter((v) => v && (!of || of.includes(v)) && (!isId || isUuid(v)));
}

function readOrder(raw: string | null, spec: Spec): ListOrder {
  const field = raw?.replace(/^-/, '');
  if (!raw || !field || !spec.order.includes(field)) return defaultOrder(spec);
  return { field, direction: raw.startsWith('-') ? 'desc' : 'asc' };
}

function readPeriod(params: URLSearchParams, field: string): string {
  const own = params.get('period') ?? '';
  return own && periodBounds(own, 0) ? own : (readSpan(params, field)[0] ?? '');
}

/** The bounds of a field as links name them: `f.updatedAt=from..to`, or `updatedAt[$gt]` and `updatedAt[$lt]`. */
function readSpan(params: URLSearchParams, field: string): string[] {
  const bounds = `${params.get(`${field}[$gt]`) ?? ''}..${params.get(`${field}[$lt]`) ?? ''}`;
  const span = params.get(`f.${field}`) ?? params.get(field) ?? bounds;
  return periodBounds(span, 0) ? [span] : [];
}

/** Writes the state into `params` and keeps parameters that are not the list's (`id`, `tab`); defaults are left out. */
export function writeState(state: ListState, spec: Spec, params: URLSearchParams): URLSearchParams {
  const out = new URLSearchParams(params);
  const legacy = [...Object.keys(spec.filters), ...(spec.period ? [spec.period] : [])].flatMap(
    (name) => [name, `${name}[$gt]`, `${name}[$lt]`],
  );
  for (const name of legacy) if (name !== 'id') out.delete(name);
  const put = (key: string, value: string, fallback = '') => {
    if (value === fallback) out.delete(key);
    else out.set(key, value);
  };
  for (const name of Object.keys(spec.filters))
    put(`f.${name}`, (state.filters[name] ?? []).join(','));
  const { field, direction } = state.order;
  const first = defaultOrder(spec);
  put('q', state.search);
  put('period', state.period);
  put('order', (direction === 'desc' ? '-' : '') + field, `-${first.field}`);
  put('page', String(state.page), '1');
  put('size', String(state.size), String(spec.size));
  return out;
}

/** A change of anything but the page returns to the first page. */
export function change(state: ListState, patch: Partial<ListState>): ListState {
  return { ...state, page: 1, ...patch };
}

/** The part of the state that a view stores: everything but the page. */
export function queryOf(state: ListState, spec: Spec): string {
  return writeState({ ...state, page: 1 }, spec, new URLSearchParams()).toString();
}

/** True when there are no rows at all, not only none under these filters: the page then shows its empty state. */
export function isFirstUse(list: LoadedList, state: ListState): boolean {
  return !list.loading && !list.error && list.rows.length === 0 && !isFiltered(state);
}
interface LoadedList {
  rows: readonly unknown[];
  loading: boolean;
  error: unknown;
}

export function isFiltered(state: ListState): boolean {
  return !!state.search || !!state.period || Object.keys(state.filters).length > 0;
}

/** `fixed` are filters that the page itself sets. */
export function toListRequest(
  state: ListState,
  spec: Spec,
  fixed: Record<string, unknown> = {},
): ListRequest {
  const filter: Record<string, unknown> = {};
  const periods: RequestPeriod[] = [];
  if (spec.period && state.period) periods.push({ field: spec.period, value: state.period });
  for (const [name, values] of Object.entries(state.filters)) {
    const kind = spec.filters[name];
    if (kind?.isPeriod) periods.push({ field: name, value: values[0]! });
    else filter[name] = kind?.many ? values : values[0];
  }
  return {
    offset: (state.page - 1) * state.size,
    limit: state.size,
    order: [state.order],
    search: state.search || undefined,
    scope: [...spec.scope],
    filter: { ...filter, ...fixed },
    ...(periods.length && { periods }),
  };
}
