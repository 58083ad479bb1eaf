import type { StoredFile } from '@heliograph/contract';
import { Badge, Group, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconLink, IconLock } from '../../ui/icons.ts';
import { FileExpiry } from './file-expiry.tsx';

/** Whether a file is used, public, or about to be deleted; nothing for others. */
export function FileState({ file }: { file: StoredFile }) {
  const { t } = useTranslation();
  return (
    <Group gap={6}>
      {file.locks > 0 && (
        <Tooltip label={t('storage:lockedHint')} multiline maw={300}>
          <Badge variant="default" leftSection={<IconLock size={12} aria-hidden />}>
            {t('storage:locked')}
          </Badge>
        </Tooltip>
      )}
      {file.isPublic && (
        <Badge variant="default" leftSection={<IconLink size={12} aria-hidden />}>
          {t('storage:public')}
        </Badge>
      )}
      {file.expiredAt && <FileExpiry at={file.expiredAt} />}
    </Group>
  );
}
