import { telemetry } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { useChange } from '../../core/use-change.ts';
import { ACCOUNT_SIZES, listSpec } from '../../list/list-spec.ts';

export const visitSpec = listSpec(telemetry.find, {
  order: ['createdAt'],
  period: 'createdAt',
  ...ACCOUNT_SIZES,
});

export const consentQuery = queryOptions({
  queryKey: ['telemetry', 'consent'],
  queryFn: ({ signal }) => api(telemetry.consent, { signal }),
});

export const useDecide = () =>
  useChange(
    ['telemetry'],
    (isAllowed: boolean) => api(telemetry.decide, { body: { isAllowed } }),
    false,
  );
