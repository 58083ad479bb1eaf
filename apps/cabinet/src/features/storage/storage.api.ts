import { storage } from '@heliograph/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';

const PICKER_PAGE = 12;

/** Stored files of an account to pick from, of some types: the newest twelve, or the twelve newest that answer what is typed. */
export const pickableQuery = (OwnerId: string, types: string[], search: string) =>
  queryOptions({
    queryKey: ['storage', 'pick', OwnerId, types, search],
    queryFn: ({ signal }) =>
      api(storage.find, {
        query: {
          offset: 0,
          limit: PICKER_PAGE,
          order: [{ field: 'createdAt', direction: 'desc' }],
          search: search || undefined,
          scope: [],
          filter: { OwnerId, type: types },
          range: {},
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
