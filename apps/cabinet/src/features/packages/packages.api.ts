import { packageOffers, packages } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { sendBody } from '../../core/row-calls.ts';

/** Those of an account that end last. */
export const packagesQuery = (OwnerId: string) =>
  queryOptions({
    queryKey: keysOf('packages').of('last', OwnerId),
    queryFn: ({ signal }) =>
      api(packages.find, {
        query: { filter: { OwnerId }, order: [{ field: 'endsAt', direction: 'desc' }], limit: 20 },
        signal,
      }),
  });

export const offersQuery = queryOptions({
  queryKey: keysOf('packages').of('offers'),
  queryFn: ({ signal }) =>
    api(packageOffers.find, {
      query: { order: [{ field: 'price', direction: 'asc' }], limit: 100 },
      signal,
    }),
});

export const useBuyPackage = sendBody(packages.create, 'packages', 'billings');
