import { channels, SendingType, type ChannelInput, type ChannelTest } from '@heliograph/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { useChange } from '../../core/use-change.ts';
import { ACCOUNT_SIZES, listSpec, manyOf, oneOf } from '../../list/list-spec.ts';

export const channelSpec = listSpec(channels.find, {
  filters: { type: manyOf(SendingType.options), isActive: oneOf(['true', 'false']) },
  order: ['priority', 'name'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const channelQuery = (channel: string) =>
  queryOptions({
    queryKey: ['channels', 'get', channel],
    queryFn: ({ signal }) => api(channels.get, { params: { channel }, signal }),
  });

export const driversQuery = queryOptions({
  queryKey: ['channelDrivers'],
  queryFn: ({ signal }) => api(channels.drivers, { signal }),
  staleTime: Infinity,
});

const REFRESH_MS = 3000;

/** Channels belong to no account, so no socket tells of them: what is shown of them is asked for while it is looked at. */
export function useFreshChannels(): void {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void client.invalidateQueries({ queryKey: ['channels'] });
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [client]);
}

export const useCreateChannel = () =>
  useChange(['channels'], (body: z.input<typeof ChannelInput>) => api(channels.create, { body }));

type Changes = Partial<Omit<z.input<typeof ChannelInput>, 'name' | 'driver'>>;

export const useUpdateChannel = (channel: string, showsErrors = true) =>
  useChange(
    ['channels'],
    (body: Changes) => api(channels.update, { params: { channel }, body }),
    showsErrors,
  );

export const useRemoveChannel = () =>
  useChange(
    ['channels'],
    (channel: string) => api(channels.remove, { params: { channel } }),
    false,
  );

export const useTestChannel = (channel: string) =>
  useChange(['channels', 'sendings'], (body: z.input<typeof ChannelTest>) =>
    api(channels.test, { params: { channel }, body }),
  );
