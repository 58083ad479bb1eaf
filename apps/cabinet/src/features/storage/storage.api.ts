import { storage } from '@heliograph/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';

const PICKER_PAGE = 12;

/** Stored files of some types to pick from: the newest twelve, or the twelve newest that answer what is typed. */
export const pickableQuery = (types: string[], search: string) =>
  queryOptions({
    queryKey: ['storage', 'pick', types, search],
    queryFn: ({ signal }) =>
      api(storage.find, {
        query: {
          offset: 0,
          limit: PICKER_PAGE,
          order: [{ field: 'createdAt', direction: 'desc' }],
          search: search || undefined,
          scope: [],
          filter: { type: types },
          range: {},
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
