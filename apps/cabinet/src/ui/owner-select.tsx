import type { Level } from '@heliograph/contract';
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ownersQuery, useOwnerName } from '../core/owners.ts';

type OwnerSelectProps = Pick<
  SelectProps,
  | 'name'
  | 'label'
  | 'aria-label'
  | 'placeholder'
  | 'error'
  | 'required'
  | 'disabled'
  | 'description'
> & {
  /** Only people of this level. */
  level?: Level;
  value: string | null;
  onChange: (id: string | null) => void;
};

/** An account by name: the ten newest, or up to 25 that match the search. */
export function OwnerSelect({ level, value, onChange, ...props }: OwnerSelectProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const name = useOwnerName(value);
  // After a choice the field shows a name, which is not a search.
  const [search] = useDebouncedValue(typed === name ? '' : typed.trim(), 500);
  const { data, isFetching } = useQuery(ownersQuery(search, level));
  const options = (data?.data ?? []).map((user) => ({ value: user.id, label: user.username }));
  const isListed = options.some((option) => option.value === value);
  const chosen = value && !isListed ? [{ value, label: name || value }] : [];
  return (
    <Select
      {...props}
      data={[...chosen, ...options]}
      value={value}
      onChange={onChange}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched already.
      filter={({ options: all }) => all}
      nothingFoundMessage={isFetching ? t('searching') : t('nothingFound')}
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
    />
  );
}
