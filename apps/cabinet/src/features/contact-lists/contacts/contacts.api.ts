import { contacts } from '@heliograph/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../core/api.ts';
import { ACCOUNT_SIZES, listSpec } from '../../../list/list-spec.ts';
import type { ContactChanges } from './contact-values.ts';

export const contactSpec = listSpec(contacts.find, {
  order: ['createdAt', 'phone', 'lastName', 'updatedAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

function useChange<V, R>(mutationFn: (variables: V) => Promise<R>, showsErrors: boolean) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['contacts'] }),
        // A list knows how many it holds.
        client.invalidateQueries({ queryKey: ['contactLists'] }),
      ]),
    meta: { showsErrors },
  });
}

/** Adds a contact to the list, or changes the one with the id. */
export const useSaveContact = (ListId: string, id?: string) =>
  useChange(
    (body: ContactChanges) =>
      id
        ? api(contacts.update, { params: { id }, body })
        : api(contacts.create, { body: { ...body, ListId } }),
    true,
  );

export const useRemoveContacts = () =>
  useChange((ids: string[]) => api(contacts.removeMany, { body: { ids } }), false);
