import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { withTexts } from '../../../core/i18n/i18n.ts';
import { later } from '../../../ui/later.tsx';
import { UploadProgress } from '../../../ui/upload-progress.tsx';
import { ImportError } from './import-error.tsx';

const FileSelect = later(
  async () =>
    (await withTexts(['storage'], () => import('../../storage/file-select.tsx'))).FileSelect,
);

interface ImportFileProps {
  /** The key of a stored file. */
  onPick: (from: string) => void;
  isReading: boolean;
  error: unknown;
  onClose: () => void;
}

/** A file of this computer, or one that is stored already. Choosing is enough: it is read at once. */
export function ImportFile({ onPick, isReading, error, onClose }: ImportFileProps) {
  const { t } = useTranslation();
  return (
    <Stack>
      <Text size="sm">{t('contactLists:importHint')}</Text>
      <ImportError error={error} />
      <FileSelect preset="sheet" disabled={isReading} onPick={({ key }) => onPick(key)} />
      <UploadProgress ratio={isReading ? 1 : null} then={t('contactLists:reading')} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={isReading}>
          {t('common:cancel')}
        </Button>
      </Group>
    </Stack>
  );
}
