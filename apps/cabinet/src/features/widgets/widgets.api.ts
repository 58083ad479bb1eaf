import {
  OtpChannelType,
  otpChannels,
  otpTemplates,
  otpWidgets,
  type OtpChannelInput,
  type OtpChannelUpdate,
  type OtpTemplateInput,
  type OtpTemplateUpdate,
  type OtpWidgetInput,
  type OtpWidgetUpdate,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf } from '../../list/state/list-spec.ts';

const ORDER = ['createdAt', 'name'] as const;
const types = { channelType: manyOf(OtpChannelType.options) };

export const widgetSpec = listSpec(otpWidgets.find, {
  resource: 'otpWidgets',
  order: ORDER,
  search: true,
  ...ACCOUNT_SIZES,
});
export const otpChannelSpec = listSpec(otpChannels.find, {
  resource: 'otpChannels',
  filters: types,
  order: ORDER,
  search: true,
  ...ACCOUNT_SIZES,
});
export const otpTemplateSpec = listSpec(otpTemplates.find, {
  resource: 'otpTemplates',
  filters: types,
  order: ORDER,
  search: true,
  ...ACCOUNT_SIZES,
});

export const widgetQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('otpWidgets').get(id),
    queryFn: ({ signal }) => api(otpWidgets.get, { params: { id }, query: {}, signal }),
  });
export const otpChannelQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('otpChannels').get(id),
    queryFn: ({ signal }) => api(otpChannels.get, { params: { id }, query: {}, signal }),
  });
export const otpTemplateQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('otpTemplates').get(id),
    queryFn: ({ signal }) => api(otpTemplates.get, { params: { id }, query: {}, signal }),
  });

const DAY_MS = 86_400_000;
/** Conversion of the last days. */
export const statisticsQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: keysOf('otpWidgets').of('statistics', id, days),
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - days * DAY_MS).toISOString();
      return api(otpWidgets.statistics, { params: { id }, query: { from }, signal });
    },
  });
export const prefixesQuery = queryOptions({
  queryKey: keysOf('otpWidgets').of('prefixes'),
  queryFn: ({ signal }) => api(otpWidgets.prefixes, { signal }),
});

export type WidgetDraft = z.input<typeof OtpWidgetInput>;
export type WidgetChanges = z.input<typeof OtpWidgetUpdate>;
export type ChannelDraft = z.input<typeof OtpChannelInput>;
export type ChannelChanges = z.input<typeof OtpChannelUpdate>;
export type TemplateDraft = z.input<typeof OtpTemplateInput>;
export type TemplateChanges = z.input<typeof OtpTemplateUpdate>;

/** Widgets show the names of their channels. */
const ofWidgets = { invalidates: ['otpWidgets'], showsErrors: true } as const;
const ofChannels = { invalidates: ['otpChannels', 'otpWidgets'], showsErrors: true } as const;
const ofTemplates = { invalidates: ['otpTemplates'], showsErrors: true } as const;

export const useCreateWidget = () =>
  useMutationOnce({
    mutationFn: (body: WidgetDraft) => api(otpWidgets.create, { body }),
    meta: ofWidgets,
  });
export const useUpdateWidget = (id: string) =>
  useMutationOnce({
    mutationFn: (body: WidgetChanges) => api(otpWidgets.update, { params: { id }, body }),
    meta: ofWidgets,
  });
/** The order is the priority. */
export const useSetChannels = (id: string) =>
  useMutationOnce({
    mutationFn: (channels: string[]) =>
      api(otpWidgets.setChannels, {
        params: { id },
        body: {
          otpWidgetChannelSettings: channels.map((otpChannelSettingsId, i) => ({
            otpChannelSettingsId,
            priority: i + 1,
          })),
        },
      }),
    meta: ofWidgets,
  });
export const useRemoveWidget = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(otpWidgets.remove, { params: { id } }),
    meta: { invalidates: ['otpWidgets'] },
  });
export const useUnblockPrefix = () =>
  useMutationOnce({
    mutationFn: (prefix: string) => api(otpWidgets.unblockPrefix, { params: { prefix } }),
    meta: { invalidates: ['otpWidgets'] },
  });

export const useCreateChannel = () =>
  useMutationOnce({
    mutationFn: (body: ChannelDraft) => api(otpChannels.create, { body }),
    meta: ofChannels,
  });
export const useUpdateChannel = (id: string) =>
  useMutationOnce({
    mutationFn: (body: ChannelChanges) => api(otpChannels.update, { params: { id }, body }),
    meta: ofChannels,
  });
export const useRemoveChannel = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(otpChannels.remove, { params: { id } }),
    meta: { invalidates: ['otpChannels'] },
  });

export const useCreateTemplate = () =>
  useMutationOnce({
    mutationFn: (body: TemplateDraft) => api(otpTemplates.create, { body }),
    meta: ofTemplates,
  });
export const useUpdateTemplate = (id: string) =>
  useMutationOnce({
    mutationFn: (body: TemplateChanges) => api(otpTemplates.update, { params: { id }, body }),
    meta: ofTemplates,
  });
export const useRemoveTemplate = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(otpTemplates.remove, { params: { id } }),
    meta: { invalidates: ['otpTemplates'] },
  });
