import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { pickableQuery } from './storage.api.ts';

interface FileSelectProps {
  label: string;
  /** MIME types that will do. */
  types: string[];
  disabled?: boolean;
  onChange: (id: string) => void;
}

/** A stored file by its title. */
export function FileSelect({ label, types, disabled, onChange }: FileSelectProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { session } = useSettings();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 500);
  const { data, isFetching } = useQuery(pickableQuery(session.OwnerId, types, search));
  return (
    <Select
      label={label}
      placeholder={t('chooseStored')}
      data={(data?.data ?? []).map(({ id, title, createdAt }) => ({
        value: id,
        label: `${title} · ${formats.dateTimeShort(createdAt)}`,
      }))}
      value={null}
      onChange={(id) => id && onChange(id)}
      disabled={disabled}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? t('searching') : t('nothingFound')}
    />
  );
}
