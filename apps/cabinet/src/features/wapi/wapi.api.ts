import { wapi } from '@heliograph/contract';
import { WAPI_STATES } from '@heliograph/domain';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { ownResult } from '../../core/own-results.ts';
import { keysOf } from '../../core/query-keys.ts';
import { rowQuery } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const wapiSpec = listSpec(wapi.find, {
  filters: { state: manyOf(WAPI_STATES), OwnerId: text },
  order: ['createdAt', 'expiredAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const wapiQuery = rowQuery('wapi', wapi.get);

export const priceQuery = queryOptions({
  queryKey: keysOf('wapi').of('price'),
  queryFn: ({ signal }) => api(wapi.price, { signal }),
});

const meta = { invalidates: ['wapi'], showsErrors: true } as const;

export const useCreateInstance = () =>
  useMutationOnce({
    mutationFn: (_: void) => ownResult('WapiCreated', api(wapi.create), ({ id }) => id),
    // The account may now send the type.
    meta: { ...meta, invalidates: ['wapi', 'settings'] },
  });

export const useOpenQr = (id: string) =>
  useMutationOnce({ mutationFn: (_: void) => api(wapi.qr, { params: { id } }), meta });

export const useLogout = (id: string) =>
  useMutationOnce({ mutationFn: (_: void) => api(wapi.logout, { params: { id } }), meta });

export const useRenew = (id: string) =>
  useMutationOnce({
    mutationFn: (expiredAt: string) => api(wapi.renew, { params: { id }, body: { expiredAt } }),
    meta,
  });

export const useSetCanceled = (id: string) =>
  useMutationOnce({
    mutationFn: (isCanceled: boolean) => api(wapi.update, { params: { id }, body: { isCanceled } }),
    meta,
  });

export const useSetActive = (id: string) =>
  useMutationOnce({
    mutationFn: (isActive: boolean) => api(wapi.activate, { params: { id }, body: { isActive } }),
    meta,
  });
