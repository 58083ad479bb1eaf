import {
  notificationSettings,
  type BalanceLimitInput,
  type NotificationSettings,
} from '@heliograph/contract';
import type { NotificationChannel, NotificationType } from '@heliograph/domain';
import { queryOptions, useMutation } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { queryClient } from '../../core/query.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';

export const notificationSettingsQuery = queryOptions({
  queryKey: keysOf('notificationSettings').of('all'),
  queryFn: ({ signal }) => api(notificationSettings.get, { signal }),
});

interface Choice {
  type: NotificationType;
  channel: NotificationChannel;
  isOn: boolean;
  timeZone?: string;
}

/** Shows a chip in its new state. */
function show({ type, channel, isOn }: Choice): void {
  queryClient.setQueryData(
    notificationSettingsQuery.queryKey,
    (settings: NotificationSettings | undefined) =>
      settings && {
        ...settings,
        events: settings.events.map((event) => {
          if (event.type !== type) return event;
          const others = event.channels.filter((one) => one !== channel);
          return { ...event, channels: isOn ? [...others, channel] : others };
        }),
      },
  );
}

/** Saves one chip at once. Changes are saved in their order; a refused one shows its former state again, with a toast. */
export const useChoose = () =>
  useMutation({
    mutationFn: ({ type, ...body }: Choice) =>
      api(notificationSettings.update, { params: { type }, body }),
    scope: { id: 'notificationSettings' },
    onMutate: show,
    onError: (_error, choice) => show({ ...choice, isOn: !choice.isOn }),
  });

export type LimitDraft = z.input<typeof BalanceLimitInput>;

export const useSetLimits = () =>
  useMutationOnce({
    mutationFn: (limits: LimitDraft[]) => api(notificationSettings.setLimits, { body: { limits } }),
    meta: { invalidates: ['notificationSettings'], showsErrors: true },
  });

export const useLinkTelegram = () =>
  useMutationOnce({
    mutationFn: () => api(notificationSettings.linkTelegram),
    // The code is not kept after its dialog is gone.
    gcTime: 0,
  });

export const useUnlinkTelegram = () =>
  useMutationOnce({
    mutationFn: () => api(notificationSettings.unlinkTelegram),
    meta: { invalidates: ['notificationSettings'] },
  });
