import { sendernames, type Sendername } from '@heliograph/contract';
import type { TFunction } from 'i18next';
import { api } from '../../core/api.ts';
import type { OptionSource } from '../../ui/async-options.ts';

/** The names of an account: approved ones, then the others, which are shown with their state and cannot be chosen. */
export function sendernameSource(
  t: TFunction,
  type: Sendername['type'],
  OwnerId: string,
): OptionSource<Sendername> {
  return {
    noun: 'sendernames',
    params: [type, OwnerId],
    async find({ limit, search }, signal) {
      const find = (moderation: Sendername['moderation'][], size: number) =>
        api(sendernames.find, {
          query: {
            offset: 0,
            limit: size,
            search,
            order: [{ field: 'createdAt', direction: 'desc' }],
            filter: { type: [type], OwnerId, moderation },
            scope: [],
            range: {},
          },
          signal,
        });
      const approved = await find(['approved'], limit);
      const usable = approved.data.filter((row) => row.isActive);
      if (approved.data.length >= limit) return { data: usable };
      const others = await find(['pending', 'rejected'], limit - approved.data.length);
      return { data: [...usable, ...others.data] };
    },
    toOption: ({ name, moderation }) =>
      moderation === 'approved'
        ? { value: name, label: name }
        : {
            value: name,
            label: t('sendernames:select.state', {
              name,
              state: t(`sendernames:moderation.${moderation}`),
            }),
            disabled: true,
          },
  };
}
