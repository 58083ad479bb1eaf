import type { ImportProgress as ImportEvent } from '@heliograph/contract';
import { Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSocketEvent } from '../../../core/realtime/socket-events.ts';
import { useFormats } from '../../../core/use-formats.ts';

interface ImportProgressProps {
  listId: string;
  fileKey: string;
}

/** Imported and remaining rows, by events of the server. */
export function ImportProgress({ listId, fileKey }: ImportProgressProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [{ done, left }, setProgress] = useState<Pick<ImportEvent, 'done' | 'left'>>({
    done: 0,
    left: 0,
  });
  useSocketEvent('contacts.importing', (progress) => {
    if (progress.ListId === listId && progress.key === fileKey) setProgress(progress);
  });
  const rows = { done: formats.number(done), left: formats.number(left) };
  return (
    <div>
      {done > 0 && (
        <Text size="sm" c="dimmed" mb={6}>
          {t(left > 0 ? 'contactLists:progress.reading' : 'contactLists:progress.saving', rows)}
        </Text>
      )}
      <Progress
        value={left > 0 ? (done / (done + left)) * 100 : 100}
        animated={left === 0}
        aria-label={t('contactLists:progress.label')}
      />
    </div>
  );
}
