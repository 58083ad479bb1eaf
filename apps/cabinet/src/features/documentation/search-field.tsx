import { TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconSearch } from '../../ui/icons.ts';
import classes from './documentation.module.css';

interface SearchFieldProps {
  value: string;
  onChange: (text: string) => void;
}

export const RESULTS = 'documentation-results';

/** Words to find in all pages. The arrow down leads to the results. */
export function SearchField({ value, onChange }: SearchFieldProps) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onChange('');
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    document.querySelector<HTMLElement>(`#${RESULTS} a`)?.focus();
  };
  return (
    <TextInput
      type="search"
      className={classes.search}
      aria-label={t('documentation:search')}
      placeholder={t('documentation:search')}
      aria-keyshortcuts="/"
      maxLength={100}
      leftSection={<IconSearch size={18} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
