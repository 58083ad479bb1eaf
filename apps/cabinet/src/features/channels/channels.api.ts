import {
  channels,
  channelSendernames,
  SendingType,
  type ChannelInput,
  type ChannelSendernamesInput,
  type ChannelSendername,
  type ChannelTest,
} from '@heliograph/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { sendBody } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf, oneOf } from '../../list/state/list-spec.ts';

export const channelSpec = listSpec(channels.find, {
  filters: { type: manyOf(SendingType.options), isActive: oneOf(['true', 'false']) },
  order: ['priority', 'name'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const channelQuery = (channel: string) =>
  queryOptions({
    queryKey: keysOf('channels').get(channel),
    queryFn: ({ signal }) => api(channels.get, { params: { channel }, signal }),
  });

export const domainQuery = (channel: string) =>
  queryOptions({
    queryKey: keysOf('channels').of('domain', channel),
    queryFn: ({ signal }) => api(channels.domain, { params: { channel }, signal }),
  });

export const driversQuery = queryOptions({
  queryKey: keysOf('channelDrivers').all,
  queryFn: ({ signal }) => api(channels.drivers, { signal }),
  staleTime: Infinity,
});

/** Refetched with the channels. */
export const liveQuery = (channel: string) =>
  queryOptions({
    queryKey: keysOf('channels').of('live', channel),
    queryFn: ({ signal }) => api(channels.live, { params: { channel }, signal }),
  });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Those about a message, by its id, or about numbers that end so. */
export const exchangesQuery = (channel: string, sought: string, isFailed: boolean) =>
  queryOptions({
    queryKey: keysOf('channels').of('exchanges', channel, sought, isFailed),
    queryFn: ({ signal }) =>
      api(channels.exchanges, {
        params: { channel },
        query: {
          limit: 20,
          ...(UUID.test(sought) && { SendingId: sought }),
          ...(/^\S{4}$/.test(sought) && { tail: sought }),
          ...(isFailed && { isFailed: 'true' }),
        },
        signal,
      }),
  });

export const NAMES_PER_PAGE = 20;

/** The sender names that are registered at a channel, by name. */
export const namesQuery = (channel: string, search: string, page: number) =>
  queryOptions({
    queryKey: keysOf('channelSendernames').of('names', channel, search, page),
    queryFn: ({ signal }) =>
      api(channelSendernames.find, {
        params: { channel },
        query: {
          order: [{ field: 'name', direction: 'asc' }],
          limit: NAMES_PER_PAGE,
          offset: (page - 1) * NAMES_PER_PAGE,
          ...(search && { search }),
        },
        signal,
      }),
  });

export const useAddNames = (channel: string) =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof ChannelSendernamesInput>) =>
      api(channelSendernames.add, { params: { channel }, body }),
    meta: { invalidates: ['channelSendernames'], showsErrors: true },
  });

export const useRemoveName = () =>
  useMutationOnce({
    mutationFn: ({ ChannelId, id }: ChannelSendername) =>
      api(channelSendernames.remove, { params: { channel: ChannelId, id } }),
    meta: { invalidates: ['channelSendernames'] },
  });

const REFRESH_MS = 3000;

/** Channels belong to no account, so they have no events: they are refetched while the page is visible. */
export function useFreshChannels(): void {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void client.invalidateQueries({ queryKey: keysOf('channels').all });
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [client]);
}

export const useCreateChannel = sendBody(channels.create, 'channels');

type Changes = Partial<Omit<z.input<typeof ChannelInput>, 'name' | 'driver'>>;

export const useUpdateChannel = (channel: string, showsErrors = true) =>
  useMutationOnce({
    mutationFn: (body: Changes) => api(channels.update, { params: { channel }, body }),
    meta: { invalidates: ['channels', 'channelSendernames'], showsErrors },
  });

export const useRemoveChannel = () =>
  useMutationOnce({
    mutationFn: (channel: string) => api(channels.remove, { params: { channel } }),
    meta: { invalidates: ['channels'] },
  });

export const useTestChannel = (channel: string) =>
  useMutationOnce({
    mutationFn: (body: z.input<typeof ChannelTest>) =>
      api(channels.test, { params: { channel }, body }),
    meta: { invalidates: ['channels', 'sendings'], showsErrors: true },
  });

export const useRehearsal = sendBody(channels.rehearse);
