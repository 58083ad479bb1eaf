import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { FILE_PRESETS, type FilePreset } from '@heliograph/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keysOf } from '../../core/query-keys.ts';
import { useSettings } from '../../core/settings.ts';
import { upload } from '../../core/upload.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Dropzone } from '../../ui/dropzone.tsx';

interface UploadDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Uploads one file after another; closing it cancels those that are not done. */
export function UploadDialog({ opened, onClose }: UploadDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { maxSize } = useSettings().storage;
  const [preset, setPreset] = useState<FilePreset>('all');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('storage:uploadTitle')} size={600}>
      <Stack>
        <NativeSelect
          label={t('storage:kind')}
          value={preset}
          onChange={(event) => setPreset(event.currentTarget.value as FilePreset)}
          data={FILE_PRESETS.map((value) => ({ value, label: t(`storage:preset.${value}`) }))}
        />
        <Dropzone
          preset={preset}
          maxSize={maxSize}
          send={(file, onProgress, signal) => upload(file, onProgress, signal, preset)}
          onSent={() => void client.invalidateQueries({ queryKey: keysOf('storage').all })}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
