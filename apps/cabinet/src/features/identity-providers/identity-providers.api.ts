import { identityProviders } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, changeRow, sendBody } from '../../core/row-calls.ts';

export const identityProvidersQuery = queryOptions({
  queryKey: keysOf('identityProviders').all,
  queryFn: ({ signal }) => api(identityProviders.find, { signal }),
});

export const useCreateProvider = sendBody(identityProviders.create, 'identityProviders');

export const useUpdateProvider = changeRow(identityProviders.update, 'identityProviders');

export const useRemoveProvider = actOnRow(identityProviders.remove, 'identityProviders');
