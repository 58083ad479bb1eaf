import { brands } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { sendBody } from '../../core/row-calls.ts';

export const brandQuery = (OwnerId: string) =>
  queryOptions({
    queryKey: keysOf('brands').get(OwnerId),
    queryFn: ({ signal }) => api(brands.get, { query: { OwnerId }, signal }),
  });

// The settings of the session have the brand that the cabinet is drawn in.
export const useUpdateBrand = sendBody(brands.update, 'brands', 'settings', 'audit');
export const useSetDomain = sendBody(brands.setDomain, 'brands', 'audit');
export const useSetLogo = sendBody(brands.setLogo, 'brands', 'settings', 'audit');
