import { contactFields, type NamedField } from '@heliograph/contract';
import type { ContactField } from '@heliograph/domain';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../core/api.ts';
import { keysOf } from '../core/query-keys.ts';
import { useCan } from '../core/settings.ts';

/** What an account calls the fields of its contacts; by default the own one. */
export const contactFieldsQuery = (OwnerId?: string) =>
  queryOptions({
    queryKey: keysOf('contactFields').of('names', OwnerId ?? null),
    queryFn: ({ signal }) =>
      api(contactFields.get, { query: OwnerId === undefined ? {} : { OwnerId }, signal }),
  });

/** A field that an account has named; by default the own account. */
export function useNamedField(OwnerId?: string): (field: string) => NamedField | undefined {
  const can = useCan();
  const { data } = useQuery({ ...contactFieldsQuery(OwnerId), enabled: can('contactLists.get') });
  const named = data?.fields;
  return useCallback((field) => named?.find((one) => one.field === field), [named]);
}

/** What an account calls a field, if it has named it; by default the own account. */
export function useFieldTitle(OwnerId?: string): (field: string) => string | undefined {
  const namedOf = useNamedField(OwnerId);
  return useCallback((field) => namedOf(field)?.title, [namedOf]);
}

/** The name of a contact field: "Phone", "City" as the account calls it, else "Field 7". */
export function useFieldName(OwnerId?: string): (field: ContactField) => string {
  const { t } = useTranslation();
  const titleOf = useFieldTitle(OwnerId);
  return useCallback(
    (field) =>
      titleOf(field) ??
      (field.startsWith('custom')
        ? t('contactLists:customField', { number: Number(field.slice('custom'.length)) })
        : t(`contactLists:field.${field}`)),
    [titleOf, t],
  );
}
