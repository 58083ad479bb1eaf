import { notificationSettings, type NotificationSettings } from '@heliograph/contract';
import type { NotificationChannel, NotificationType } from '@heliograph/domain';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { queryClient } from '../../core/query.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { changeOf, type LimitChange } from './limit-change.ts';

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

const CHOICES = keysOf('notificationSettings').of('choices');
const chipOf = ({ type, channel }: Choice) => `${type} ${channel}`;

/** Whether a chip is on at the server, while choices of it are being saved. */
const saved = new Map<string, boolean>();

/** The choices of one chip, or of all, that are not answered yet. */
const pending = (chip?: string) =>
  queryClient.isMutating({
    mutationKey: CHOICES,
    predicate: ({ state }) => !chip || chipOf(state.variables as Choice) === chip,
  });

/**
 * Saves one chip at once. Changes are saved in their order; when the last one of a chip is answered, it shows what the server has:
 * after a refusal that is its former state, with a toast.
 */
export const useChoose = () =>
  useMutation({
    mutationKey: CHOICES,
    mutationFn: ({ type, ...body }: Choice) =>
      api(notificationSettings.update, { params: { type }, body }),
    scope: { id: 'notificationSettings' },
    onMutate(choice) {
      const chip = chipOf(choice);
      if (pending(chip) === 1) saved.set(chip, !choice.isOn);
      // An answer that is under way knows nothing of this choice.
      void queryClient.cancelQueries(notificationSettingsQuery);
      show(choice);
    },
    onSuccess({ channels }, choice) {
      saved.set(chipOf(choice), channels.includes(choice.channel));
    },
    onSettled(_answer, error, choice) {
      const chip = chipOf(choice);
      if (pending(chip) === 1) show({ ...choice, isOn: saved.get(chip)! });
      // Of a call that was not answered nobody knows whether it was saved.
      if (error && pending() === 1) void queryClient.invalidateQueries(notificationSettingsQuery);
    },
  });

/**
 * The limits are saved as a whole: read before, so that those of another tab are among them. If another tab saves in between, this
 * change is refused.
 */
export const useSetLimits = () =>
  useMutationOnce({
    async mutationFn(change: LimitChange) {
      const stored = await api(notificationSettings.get);
      return api(notificationSettings.setLimits, { body: changeOf(stored.limits, change) });
    },
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
