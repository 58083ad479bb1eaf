import type { StoredFile } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { findFiles } from './storage.api.ts';

interface FileSelectProps {
  label: string;
  /** The accepted MIME types. */
  types: string[];
  disabled?: boolean;
  onChange: (id: string) => void;
}

/** A stored file by its title; the field is empty again when one was chosen. */
export function FileSelect({ label, types, disabled, onChange }: FileSelectProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { OwnerId } = useSettings().session;
  return (
    <AsyncSelect
      label={label}
      placeholder={t('common:chooseStored')}
      source={{
        noun: 'storage',
        params: [OwnerId, types],
        find: (query, signal) => findFiles(OwnerId, types, query, signal),
        toOption: ({ id, title, createdAt }: StoredFile) => ({
          value: id,
          label: `${title} · ${formats.dateTimeShort(createdAt)}`,
        }),
      }}
      value={null}
      onChange={(id) => id && onChange(id)}
      disabled={disabled}
    />
  );
}
