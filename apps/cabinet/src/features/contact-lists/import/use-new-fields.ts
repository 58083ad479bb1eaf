import type { CUSTOM_FIELDS, NamedField } from '@heliograph/contract';
import type { ContactField } from '@heliograph/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCan, useSettings } from '../../../core/settings.ts';
import { contactFieldsQuery, useFieldName } from '../../../ui/use-field-name.ts';
import { contactListQuery, useNameFields } from '../contact-lists.api.ts';
import { freeField, type Mapping } from './mapping.ts';

type CustomField = (typeof CUSTOM_FIELDS)[number];

export interface NewFields {
  nameOf: (field: ContactField) => string;
  /** Whether a field has this name. */
  isTaken: (title: string) => boolean;
  /** The field that a further column may have, if the user may name fields here. */
  free: CustomField | undefined;
  add: (field: CustomField, title: string) => void;
  /** Before the import: names the fields that columns still have. */
  save: () => Promise<void>;
}

/** Fields that get their names from columns of a file. */
export function useNewFields(listId: string, mapping: Mapping): NewFields {
  const can = useCan();
  const { session } = useSettings();
  const { data: list } = useQuery(contactListQuery(listId));
  const { data } = useQuery(contactFieldsQuery());
  const nameOfNamed = useFieldName(list?.OwnerId);
  const { mutateAsync } = useNameFields();
  const [added, setAdded] = useState<NamedField[]>([]);
  const named = data?.fields ?? [];
  const kept = added.filter(({ field }) => mapping.includes(field));
  const all = [...named, ...kept];
  const isOwn = list?.OwnerId === session.OwnerId;
  const mayName = isOwn && can('contactLists.update') && data !== undefined;
  return {
    nameOf: (field) => kept.find((one) => one.field === field)?.title ?? nameOfNamed(field),
    isTaken: (title) => all.some((one) => one.title.toLowerCase() === title.toLowerCase()),
    free: mayName
      ? freeField(mapping, (field) => all.some((one) => one.field === field))
      : undefined,
    add: (field, title) =>
      setAdded((now) => [
        ...now.filter((one) => one.field !== field),
        { field, title, type: 'text', values: [] },
      ]),
    async save() {
      if (kept.length) await mutateAsync({ fields: all });
    },
  };
}
