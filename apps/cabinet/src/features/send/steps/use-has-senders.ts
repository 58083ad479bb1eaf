import type { SendingType } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { useCan, useSettings } from '../../../core/settings.ts';
import { findQuery } from '../../../list/state/use-list.ts';
import { sendernameSpec } from '../../sendernames/sendernames.api.ts';

/** Whether the account has a usable sender name. Channels without moderation accept any name. */
export function useHasSenders(types: readonly SendingType[]): boolean {
  const { session, sendings } = useSettings();
  // The sender of wapi is a phone.
  const isOpen = !types.some((type) => type !== 'wapi' && sendings.sendernamesCheck.includes(type));
  const may = useCan()('sendernames.get');
  const { data } = useQuery({
    ...findQuery(sendernameSpec, {
      limit: 200,
      order: [{ field: 'createdAt', direction: 'desc' }],
      filter: { OwnerId: session.OwnerId, moderation: ['approved'] },
    }),
    enabled: may && !isOpen,
  });
  return isOpen || !data || data.data.some((name) => name.isActive);
}
