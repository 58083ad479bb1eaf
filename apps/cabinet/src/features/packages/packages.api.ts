import { packageOffers, packages } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { rowQuery, saveRow, sendBody } from '../../core/row-calls.ts';
import { ACCOUNT_SIZES, listSpec, oneOf } from '../../list/state/list-spec.ts';

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
  queryKey: keysOf('packageOffers').of('cheapest'),
  queryFn: ({ signal }) =>
    api(packageOffers.find, {
      query: { order: [{ field: 'price', direction: 'asc' }], limit: 100 },
      signal,
    }),
});

export const useBuyPackage = sendBody(packages.create, 'packages', 'packageOffers', 'billings');

export const offerSpec = listSpec(packageOffers.find, {
  filters: { isActive: oneOf(['true', 'false']) },
  order: ['createdAt', 'title', 'price'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const offerQuery = rowQuery('packageOffers', packageOffers.get);

export const useSaveOffer = saveRow(
  { create: packageOffers.create, update: packageOffers.replace },
  'packageOffers',
);
