import { contacts, type Contact } from '@heliograph/contract';
import {
  shownValues,
  UNSUBSCRIBE_VARIABLE,
  type Locale,
  type VariableValues,
} from '@heliograph/domain';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../core/api.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { useCan, useSettings } from '../../../core/settings.ts';
import { entriesOf, type SendValues } from './send-values.ts';

export interface Sample {
  values: VariableValues;
  /** The contact's index and the number of contacts; null when only typed addresses are known. */
  place: { index: number; total: number } | null;
  go: (index: number) => void;
}

const contactQuery = (ListId: string, offset: number) =>
  queryOptions({
    queryKey: keysOf('contacts').of('sample', ListId, offset),
    queryFn: ({ signal }) =>
      api(contacts.find, {
        query: {
          offset,
          limit: 1,
          order: [{ field: 'createdAt', direction: 'asc' }],
          filter: { ListId },
        },
        signal,
      }),
    staleTime: 60_000,
  });

const valuesOf = ({
  id: _,
  ListId: __,
  createdAt: ___,
  updatedAt: ____,
  tags: _____,
  ...fields
}: Contact) => fields as VariableValues;

/** A recipient to show the message with: a contact of the first list, else the first typed address. */
export function useSample({ type, include }: SendValues): Sample {
  const [at, setAt] = useState({ list: '', index: 0 });
  const list = include.lists[0] ?? '';
  const index = at.list === list ? at.index : 0;
  const { language } = useTranslation().i18n;
  const may = useCan()('contacts.get');
  const { unsubscribeLink } = useSettings().sendings;
  const { data } = useQuery({
    ...contactQuery(list, index),
    enabled: !!list && may,
    placeholderData: keepPreviousData,
  });
  const contact = list ? data?.data[0] : undefined;
  const [typed = ''] = entriesOf(include.typed.slice(0, 200));
  const address = type === 'email' ? { email: typed } : { phone: typed };
  return {
    values: {
      ...(contact ? shownValues(valuesOf(contact), language as Locale) : address),
      [UNSUBSCRIBE_VARIABLE]: unsubscribeLink,
    },
    place: contact ? { index, total: data!.total } : null,
    go: (next) => setAt({ list, index: Math.min(Math.max(next, 0), (data?.total ?? 1) - 1) }),
  };
}
