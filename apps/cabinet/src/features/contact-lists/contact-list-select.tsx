import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { findQuery } from '../../list/use-list.ts';
import { contactListSpec } from './contact-lists.api.ts';

interface ContactListSelectProps {
  label: string;
  value: string[];
  onChange: (ids: string[]) => void;
  error?: ReactNode;
}

const PAGE = 8;

/** Picks contact lists to send to: the newest eight, or the eight that answer what is typed. */
export function ContactListSelect({ label, value, onChange, error }: ContactListSelectProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 300);
  const { data, isFetching } = useQuery({
    ...findQuery(contactListSpec, {
      offset: 0,
      limit: PAGE,
      order: [{ field: 'createdAt', direction: 'desc' }],
      search: search || undefined,
      scope: [],
      filter: { type: ['regular'] },
    }),
    placeholderData: keepPreviousData,
  });
  // What is chosen keeps its name when the search moves on.
  const known = useRef(new Map<string, string>());
  const options = useMemo(() => {
    const page = (data?.data ?? []).map((list) => ({
      value: list.id,
      label: t('contactLists:withCount', {
        title: list.title,
        count: list.count,
        number: formats.number(list.count),
      }),
    }));
    for (const option of page) known.current.set(option.value, option.label);
    const onPage = new Set(page.map((option) => option.value));
    const chosen = value.filter((id) => !onPage.has(id));
    return [...chosen.map((id) => ({ value: id, label: known.current.get(id) ?? id })), ...page];
  }, [data, value, t, formats]);
  return (
    <MultiSelect
      label={label}
      placeholder={value.length ? undefined : t('contactLists:choose')}
      data={options}
      value={value}
      onChange={onChange}
      error={error}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options: all }) => all}
      nothingFoundMessage={
        isFetching ? t('contactLists:searching') : t('contactLists:nothingFound')
      }
      clearable
      hidePickedOptions
      comboboxProps={{ withinPortal: true }}
      clearButtonProps={{ 'aria-label': t('contactLists:clear') }}
    />
  );
}
