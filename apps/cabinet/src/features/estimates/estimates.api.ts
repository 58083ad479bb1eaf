import { sendings, type SendingInput } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';

/** A sending as a form makes it: the server fills in the defaults. */
export type SendingBody = z.input<typeof SendingInput>;

/** Has a noun of its own: events of sendings must not refetch it. */
export const estimateQuery = (body: SendingBody | null) =>
  queryOptions({
    queryKey: keysOf('estimates').of('get', body),
    queryFn: ({ signal }) => api(sendings.estimate, { body: body!, signal }),
    enabled: !!body,
    // Prices and balances change, so an old answer is not shown as a current one.
    staleTime: 10_000,
    retry: false,
  });
