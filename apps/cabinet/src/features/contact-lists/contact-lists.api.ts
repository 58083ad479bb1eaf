import {
  contactLists,
  contacts,
  ContactListType,
  storage,
  type ContactListInput,
  type ImportReport,
} from '@heliograph/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { listSpec, oneOf } from '../../list/list-spec.ts';

export const contactListSpec = listSpec(contactLists.find, {
  filters: { type: oneOf(ContactListType.options) },
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
});

export function useCreateContactList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof ContactListInput>) => api(contactLists.create, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['contactLists'] }),
    meta: { showsErrors: true },
  });
}

export function useRemoveContactList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api(contactLists.remove, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['contactLists'] }),
  });
}

/** Stores the spreadsheet and reads its rows into the list. */
export function useImportContacts(ListId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, key }: { file: File; key: string }): Promise<ImportReport> => {
      const form = new FormData();
      form.append('file', file);
      const stored = await api(storage.create, { body: form, query: {} });
      const body = { ListId, from: { key: stored.key } };
      return api(contacts.import, { body, headers: { 'idempotency-key': key } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['contactLists'] }),
    meta: { showsErrors: true },
  });
}
