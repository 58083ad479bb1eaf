import { NativeSelect, Stack, Text, Button, Group, Alert } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, fieldText, requestId } from '../../../core/errors.ts';
import { useKeepOpen } from '../../../core/forms/dialog-hold.ts';
import { withTexts } from '../../../core/i18n/i18n.ts';
import { later } from '../../../ui/later.tsx';
import { UploadProgress } from '../../../ui/upload-progress.tsx';
import { useImportContacts, usePreviewImport } from '../contact-lists.api.ts';
import { ImportMapping } from './import-mapping.tsx';
import { ImportResult } from './import-result.tsx';

interface ImportStepsProps {
  listId: string;
  onClose: () => void;
}

/** Three steps: the file, the mapping of its columns, the result. */
export function ImportSteps({ listId, onClose }: ImportStepsProps) {
  const { t } = useTranslation();
  const look = usePreviewImport();
  const save = useImportContacts();
  useKeepOpen(look.isPending || save.isPending);
  const [opened, setOpened] = useState<typeof look.data>();
  const again = () => {
    setOpened(undefined);
    look.reset();
    save.reset();
  };
  const pick = (key: string, sheet?: string) => {
    save.reset();
    look.mutate({ key, sheet }, { onSuccess: setOpened });
  };
  if (save.data) return <ImportResult report={save.data} onAgain={again} onClose={onClose} />;
  if (opened) {
    const { key, preview } = opened;
    return (
      <Stack>
        <Text size="sm">{t('contactLists:mapping.text')}</Text>
        <ImportError error={save.error ?? look.error} />
        {preview.sheets.length > 1 && (
          <NativeSelect
            label={t('contactLists:sheet')}
            description={look.isPending && t('contactLists:reading')}
            data={preview.sheets}
            value={(look.isPending ? look.variables.sheet : preview.sheet) ?? undefined}
            onChange={(event) => pick(key, event.currentTarget.value)}
            disabled={save.isPending}
          />
        )}
        <ImportMapping
          key={preview.sheet}
          listId={listId}
          fileKey={key}
          preview={preview}
          order={save.mutate}
          isPending={save.isPending}
          isReading={look.isPending}
          onBack={again}
        />
      </Stack>
    );
  }
  return (
    <ImportFile onPick={pick} isReading={look.isPending} error={look.error} onClose={onClose} />
  );
}

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
function ImportFile({ onPick, isReading, error, onClose }: ImportFileProps) {
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

/** Why a file was not taken. The file is the only field, so a fault of any field is a fault of the file. */
function ImportError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!error) return null;
  const id = requestId(error);
  const refused = fieldErrors(error);
  const title = !refused.length
    ? errorText(t, error)
    : refused[0]!.path === 'columns'
      ? t('contactLists:columnsHint')
      : fieldText(t, refused);
  return (
    <Alert color="red" role="alert" title={title}>
      {id ? t('errors:requestId', { id }) : null}
    </Alert>
  );
}
