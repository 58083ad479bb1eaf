import { Button, FileInput, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../../core/settings.ts';
import { FileSelect } from '../../storage/file-select.tsx';
import { IconImport } from '../../../ui/icons.ts';
import { UploadProgress } from '../../../ui/upload-progress.tsx';
import { ImportError } from './import-error.tsx';

interface ImportFileProps {
  onPick: (from: File | string) => void;
  /** How much has gone up, 0 to 1; null when nothing is under way. */
  progress: number | null;
  error: unknown;
  onClose: () => void;
}

/** Accepted file types, for the file dialog and for dropped files. */
const SHEETS =
  '.csv,.xlsx,.xls,.ods,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,application/vnd.ms-excel,application/vnd.oasis.opendocument.spreadsheet';
/** Their types in the storage. */
const SHEET_TYPES = [
  'text/csv',
  'text/plain',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel',
  'application/vnd.oasis.opendocument.spreadsheet',
];

/** A file of this computer, or one that is stored already. Choosing is enough: it is looked into at once. */
export function ImportFile({ onPick, progress, error, onClose }: ImportFileProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { storage } = useSettings();
  const [file, setFile] = useState<File | null>(null);
  const megabytes = Math.floor(storage.maxSize / 1024 / 1024);
  const isTooLarge = !!file && file.size > storage.maxSize;
  const isBusy = progress !== null;
  const choose = (chosen: File | null) => {
    setFile(chosen);
    if (chosen && chosen.size <= storage.maxSize) onPick(chosen);
  };
  return (
    <Stack>
      <Text size="sm">{t('contactLists:importHint')}</Text>
      <ImportError error={error} />
      <FileInput
        label={t('contactLists:file')}
        description={t('contactLists:fileHint', { size: megabytes })}
        placeholder={t('contactLists:chooseFile')}
        leftSection={<IconImport size={18} aria-hidden />}
        accept={SHEETS}
        clearable
        clearButtonProps={{ 'aria-label': t('contactLists:clearFile') }}
        value={file}
        onChange={choose}
        error={isTooLarge && t('errors:rule.file', { size: megabytes })}
        disabled={isBusy}
        data-autofocus
      />
      {can('storage.get') && (
        <FileSelect
          label={t('contactLists:storedFile')}
          types={SHEET_TYPES}
          disabled={isBusy}
          onChange={onPick}
        />
      )}
      <UploadProgress ratio={progress} then={t('contactLists:reading')} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          {t('common:cancel')}
        </Button>
      </Group>
    </Stack>
  );
}
