import { telemetry } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec } from '../../list/state/list-spec.ts';

export const visitSpec = listSpec(telemetry.find, {
  order: ['createdAt'],
  period: 'createdAt',
  search: true,
  ...ACCOUNT_SIZES,
});

export const consentQuery = queryOptions({
  queryKey: keysOf('telemetry').of('consent'),
  queryFn: ({ signal }) => api(telemetry.consent, { signal }),
});

export const useDecide = () =>
  useMutationOnce({
    mutationFn: (isAllowed: boolean) => api(telemetry.decide, { body: { isAllowed } }),
    meta: { invalidates: ['telemetry', 'sessions'], showsErrors: true },
  });
