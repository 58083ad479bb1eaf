import {
  purchasePrices,
  type PurchasePriceList,
  type PurchasePriceListInput,
  type Range,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';

export const LISTS_PER_PAGE = 10;

const keys = keysOf('purchasePrices');

/** The price lists of a channel, the last one to begin first. */
export const listsQuery = (channel: string, page: number) =>
  queryOptions({
    queryKey: keys.of('lists', channel, page),
    queryFn: ({ signal }) =>
      api(purchasePrices.find, {
        params: { channel },
        query: {
          order: [{ field: 'validFrom', direction: 'desc' }],
          limit: LISTS_PER_PAGE,
          offset: (page - 1) * LISTS_PER_PAGE,
        },
        signal,
      }),
  });

/** The list that is in force at a time in ISO form, now if that is null, and the one that begins next. */
export const aroundQuery = (channel: string, at: string | null) =>
  queryOptions({
    queryKey: keys.of('around', channel, at),
    queryFn: async ({ signal }) => {
      const time = at ?? new Date().toISOString();
      const first = async (direction: 'asc' | 'desc', validFrom: Range) => {
        const { data } = await api(purchasePrices.find, {
          params: { channel },
          query: { order: [{ field: 'validFrom', direction }], limit: 1, range: { validFrom } },
          signal,
        });
        return data[0] ?? null;
      };
      const [inForce, next] = await Promise.all([
        first('desc', { $lt: time }),
        first('asc', { $gt: time }),
      ]);
      return { inForce, next };
    },
  });

export const listQuery = (channel: string, id: string) =>
  queryOptions({
    queryKey: keys.of('list', channel, id),
    queryFn: ({ signal }) => api(purchasePrices.get, { params: { channel, id }, signal }),
  });

export type PreviewBody = z.input<NonNullable<(typeof purchasePrices.preview)['body']>>;
export type ListBody = z.input<typeof PurchasePriceListInput>;

export const usePreview = (channel: string) =>
  useMutationOnce({
    mutationFn: (body: PreviewBody) => api(purchasePrices.preview, { params: { channel }, body }),
    meta: { showsErrors: true },
  });

export const useCreateList = (channel: string) =>
  useMutationOnce({
    mutationFn: (body: ListBody) => api(purchasePrices.create, { params: { channel }, body }),
    meta: { invalidates: ['purchasePrices'], showsErrors: true },
  });

export const useRemoveList = () =>
  useMutationOnce({
    mutationFn: ({ ChannelId, id }: PurchasePriceList) =>
      api(purchasePrices.remove, { params: { channel: ChannelId, id } }),
    meta: { invalidates: ['purchasePrices'] },
  });
