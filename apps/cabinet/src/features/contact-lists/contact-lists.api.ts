import {
  contactFields,
  contactLists,
  contacts,
  ContactListType,
  type ContactImport,
  type ContactListInput,
  type FieldTypeCheck,
} from '@heliograph/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { actOnRow, rowQuery, sendBody } from '../../core/row-calls.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ACCOUNT_SIZES, listSpec, manyOf, text } from '../../list/state/list-spec.ts';

export const contactListSpec = listSpec(contactLists.find, {
  filters: { type: manyOf(ContactListType.options), OwnerId: text },
  order: ['createdAt', 'title', 'updatedAt'],
  search: true,
  ...ACCOUNT_SIZES,
});

export const contactListQuery = rowQuery('contactLists', contactLists.get);

/** Creates a list, or changes the one with the id. */
export const useSaveContactList = (id?: string) =>
  useMutationOnce({
    mutationFn: (body: Pick<z.input<typeof ContactListInput>, 'title' | 'type'>) =>
      id ? api(contactLists.update, { params: { id }, body }) : api(contactLists.create, { body }),
    meta: { invalidates: ['contactLists'], showsErrors: true },
  });

export const useRemoveContactList = actOnRow(contactLists.remove, 'contactLists');

interface Picked {
  /** Of a stored file. */
  key: string;
  /** A sheet of the workbook; without it the one that the server takes. */
  sheet?: string;
}

/** Reads the first rows of a stored file. */
export function usePreviewImport() {
  return useMutation({
    mutationFn: async ({ key, sheet }: Picked) => {
      const preview = await api(contacts.preview, { body: { from: { key }, sheet } });
      return { key, preview };
    },
    meta: { showsErrors: true },
  });
}

export type ImportOrder = z.input<typeof ContactImport>;

/** Reads the recipients of a stored file. */
export const useFileRecipients = () =>
  useMutation({
    mutationFn: (body: Pick<ImportOrder, 'from' | 'sheet' | 'phones'>) =>
      api(contacts.recipients, { body }),
    meta: { showsErrors: true },
  });

/** How many values of a field of the own account would not fit a type. */
export const fieldCheckQuery = (body: z.input<typeof FieldTypeCheck>) =>
  queryOptions({
    queryKey: keysOf('contactFields').of('check', body),
    queryFn: ({ signal }) => api(contactFields.check, { body, signal }),
  });

/** Replaces the names and types of all fields of the own account. */
export const useNameFields = sendBody(contactFields.update, 'contactFields');

export const useImportContacts = sendBody(contacts.import, 'contactLists', 'contacts');
