import {
  OtpChannelType,
  otpChannels,
  otpTemplates,
  otpWidgets,
  type OtpChannelInput,
  type OtpTemplateInput,
  type OtpWidgetInput,
} from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, changeRow, rowQuery, sendBody } from '../../core/row-calls.ts';
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

export const widgetQuery = rowQuery('otpWidgets', otpWidgets.get);
export const otpChannelQuery = rowQuery('otpChannels', otpChannels.get);
export const otpTemplateQuery = rowQuery('otpTemplates', otpTemplates.get);

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
export type ChannelDraft = z.input<typeof OtpChannelInput>;
export type TemplateDraft = z.input<typeof OtpTemplateInput>;
export const useCreateWidget = sendBody(otpWidgets.create, 'otpWidgets');
export const useUpdateWidget = changeRow(otpWidgets.update, 'otpWidgets');
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
    meta: { invalidates: ['otpWidgets'], showsErrors: true },
  });
export const useRemoveWidget = actOnRow(otpWidgets.remove, 'otpWidgets');
export const useUnblockPrefix = () =>
  useMutationOnce({
    mutationFn: (prefix: string) => api(otpWidgets.unblockPrefix, { params: { prefix } }),
    meta: { invalidates: ['otpWidgets'] },
  });

/** Widgets show the names of their channels. */
export const useCreateChannel = sendBody(otpChannels.create, 'otpChannels', 'otpWidgets');
export const useUpdateChannel = changeRow(otpChannels.update, 'otpChannels', 'otpWidgets');
export const useRemoveChannel = actOnRow(otpChannels.remove, 'otpChannels');

export const useCreateTemplate = sendBody(otpTemplates.create, 'otpTemplates');
export const useUpdateTemplate = changeRow(otpTemplates.update, 'otpTemplates');
export const useRemoveTemplate = actOnRow(otpTemplates.remove, 'otpTemplates');
