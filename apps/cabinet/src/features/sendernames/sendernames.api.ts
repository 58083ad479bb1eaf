import { Moderation, sendernames, SendernameType } from '@heliograph/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, changeRow, rowQuery, sendBody } from '../../core/row-calls.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { listSpec, manyOf, text } from '../../list/state/list-spec.ts';
import { findQuery } from '../../list/state/use-list.ts';

export const sendernameSpec = listSpec(sendernames.find, {
  filters: {
    type: manyOf(SendernameType.options),
    moderation: manyOf(Moderation.options),
    OwnerId: text,
  },
  order: ['createdAt', 'name', 'updatedAt'],
  search: true,
});

export const sendernameQuery = rowQuery('sendernames', sendernames.get);

/** The channels where a name is registered, or needs to be. */
export const sendernameChannelsQuery = (id: string) =>
  queryOptions({
    queryKey: keysOf('channelSendernames').of('channels', id),
    queryFn: ({ signal }) => api(sendernames.channels, { params: { id }, signal }),
  });

/** Calls have numbers; every other channel has names. */
export const sendernameKind = (type: string) => (type === 'voice' ? 'voice' : 'sms');

/** The names that an account may send from. */
export const approvedQuery = (type: string, OwnerId: string) =>
  findQuery(sendernameSpec, {
    limit: 200,
    order: [{ field: 'name', direction: 'asc' }],
    filter: { type: [sendernameKind(type)], OwnerId, moderation: ['approved'] },
  });

/** Chooses the name of a message by itself when the account has only one that it may send from. */
export function useOnlySendername(
  type: string,
  value: string,
  onChange: (name: string) => void,
): void {
  const { sendings, session } = useSettings();
  // The sender of wapi is a phone.
  const enabled = useCan()('sendernames.get') && type !== 'wapi';
  const { data } = useQuery({ ...approvedQuery(type, session.OwnerId), enabled });
  const isChecked = (sendings.sendernamesCheck as string[]).includes(type);
  const [first, ...others] = (enabled && data?.data.filter((row) => row.isActive)) || [];
  const only = !value && first && others.length === 0 ? first.name : null;
  const isTaken = useRef(false);
  useEffect(() => {
    // Once where any name may be typed, so that a field that the user emptied stays empty.
    if (!only || (isTaken.current && !isChecked)) return;
    isTaken.current = true;
    onChange(only);
  });
}

/** Pending sender names, the oldest first. */
export const pendingQuery = findQuery(sendernameSpec, {
  limit: 100,
  order: [{ field: 'createdAt', direction: 'asc' }],
  filter: { moderation: ['pending'] },
});

export const useCreateSendername = sendBody(sendernames.create, 'sendernames');

/** Name and type stay as they were registered. */
export const useUpdateSendername = changeRow(sendernames.update, 'sendernames');

export const useRemoveSendername = actOnRow(sendernames.remove, 'sendernames');

export const useModerate = changeRow(sendernames.moderate, 'sendernames');
