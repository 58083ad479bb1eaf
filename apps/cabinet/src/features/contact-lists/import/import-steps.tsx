import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeepOpen } from '../../../core/forms/dialog-hold.ts';
import { useImportContacts, usePreviewImport } from '../contact-lists.api.ts';
import { ImportError } from './import-error.tsx';
import { ImportFile } from './import-file.tsx';
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
