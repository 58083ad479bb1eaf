import type { Level } from '@heliograph/contract';
import { CloseButton, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findQuery } from '../../list/use-list.ts';
import { userQuery, userSpec } from './users.api.ts';

interface UserSelectProps {
  label: string;
  value: string | null;
  onChange: (id: string | null) => void;
  /** Only people of these levels. */
  level?: Level[];
}

/** Picks one of the people within reach: ten at first, 25 that answer what is typed. */
export function UserSelect({ label, value, onChange, level }: UserSelectProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 500);
  const { data: chosen } = useQuery({ ...userQuery(value ?? ''), enabled: !!value });
  // The field holds the name of the chosen one, which is no question.
  const asked = search && search !== chosen?.username ? search : undefined;
  const { data, isFetching } = useQuery({
    ...findQuery(userSpec, {
      offset: 0,
      limit: asked ? 25 : 10,
      order: [{ field: 'createdAt', direction: 'desc' }],
      search: asked,
      scope: [],
      filter: { isActive: true, ...(level && { level }) },
    }),
    placeholderData: keepPreviousData,
  });
  const found = data?.data ?? [];
  const people = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={people.map(({ id, username }) => ({ value: id, label: username }))}
      value={value}
      onChange={onChange}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? t('users:select.searching') : t('users:select.nothing')}
      rightSectionPointerEvents={value ? 'all' : 'none'}
      rightSection={
        value ? (
          <CloseButton
            size="sm"
            aria-label={t('users:select.clear')}
            onClick={() => onChange(null)}
          />
        ) : undefined
      }
    />
  );
}
