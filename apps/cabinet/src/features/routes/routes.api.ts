import { routes, type RouteInput, type RouteProbeInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { listSpec } from '../../list/state/list-spec.ts';

export const routeSpec = listSpec(routes.find, {
  order: ['priority', 'title'],
  search: true,
});

export const routeQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('routes').get(id),
    queryFn: ({ signal }) => api(routes.get, { params: { id }, query: {}, signal }),
  });

/** Makes one where there is no `id`, else changes it. */
export const useSaveRoute = (id: string | undefined) =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof RouteInput>) =>
      id ? api(routes.update, { params: { id }, body }) : api(routes.create, { body }),
    meta: { invalidates: ['routes'], showsErrors: true },
  });

export const useRemoveRoute = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(routes.remove, { params: { id } }),
    meta: { invalidates: ['routes'] },
  });

export const useRouteProbe = () =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof RouteProbeInput>) => api(routes.probe, { body }),
    meta: { invalidates: [], showsErrors: true },
  });
