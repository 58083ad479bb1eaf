import { contacts, persons } from '@heliograph/contract';
import { api } from '../../../core/api.ts';
import { useMutationOnce } from '../../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, text } from '../../../list/state/list-spec.ts';
import type { ContactChanges } from './contact-values.ts';

export const contactSpec = listSpec(contacts.find, {
  order: ['createdAt', 'phone', 'lastName', 'updatedAt'],
  search: true,
  filters: { tag: text },
  ...ACCOUNT_SIZES,
});

/** A list knows how many contacts it holds. */
const CHANGED = ['contacts', 'contactLists'] as const;

/** Adds a contact to the list, or changes the one with the id. */
export const useSaveContact = (ListId: string, id?: string) =>
  useMutationOnce({
    mutationFn: (body: ContactChanges) =>
      id
        ? api(contacts.update, { params: { id }, body })
        : api(contacts.create, { body: { ...body, ListId } }),
    meta: { invalidates: CHANGED, showsErrors: true },
  });

/** Of one call; more may be selected across pages. */
const MAX_REMOVED = 1000;

export const useRemoveContacts = () =>
  useMutationOnce({
    async mutationFn(ids: string[]) {
      let removed = 0;
      for (let at = 0; at < ids.length; at += MAX_REMOVED) {
        const body = { ids: ids.slice(at, at + MAX_REMOVED) };
        removed += (await api(contacts.removeMany, { body })).removed;
      }
      return { removed };
    },
    meta: { invalidates: CHANGED, isInSteps: true },
  });

/** Erases by each address; a worker does it and sends events. */
export const useErasePerson = () =>
  useMutationOnce({
    mutationFn: ({ addresses, OwnerId }: { addresses: string[]; OwnerId?: string }) =>
      Promise.all(addresses.map((address) => api(persons.erase, { body: { address, OwnerId } }))),
  });
