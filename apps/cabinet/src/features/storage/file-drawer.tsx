import { ApiError, type StoredFile } from '@heliograph/contract';
import { Alert, Button, Code, Group, Stack, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { downloadFile } from '../../ui/download-file.ts';
import { Facts } from '../../ui/facts.tsx';
import { IconAlertTriangle, IconClock, IconDownload, IconEdit, IconTrash } from '../../ui/icons.ts';
import { ExpiryDialog } from './expiry-dialog.tsx';
import { FilePreview } from './file-preview.tsx';
import { FileState } from './file-state.tsx';
import { fileQuery } from './file.api.ts';
import { PublicLink } from './public-link.tsx';
import { RemoveFile } from './remove-file.tsx';
import { RenameDialog } from './rename-dialog.tsx';

/** One file, `?id=`: what it shows, what is known of it, and what can be done with it. */
export function FileDrawer() {
  const { t } = useTranslation();
  const detail = useDetail(fileQuery);
  const isGone = detail.error instanceof ApiError && detail.error.status === 404;
  return (
    <Sheet {...detail.frame} size="lg" title={detail.data?.title ?? t('storage:detail')}>
      {isGone ? (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {t('storage:deleted')}
        </Alert>
      ) : (
        <DetailBody detail={detail} failed={t('storage:detailFailed')}>
          {(file) => (
            <Stack>
              <FilePreview key={file.id} file={file} />
              <FileState file={file} />
              <Actions file={file} />
              <PublicLink file={file} />
              <FileFacts file={file} />
            </Stack>
          )}
        </DetailBody>
      )}
    </Sheet>
  );
}

/** Its dialogs are inside of the drawer, so that they lie above it. */
function Actions({ file }: { file: StoredFile }) {
  const { t } = useTranslation();
  const can = useCan();
  const [dialog, setDialog] = useState<'rename' | 'expiry' | 'remove' | null>(null);
  const isUsed = file.locks > 0;
  const close = () => setDialog(null);
  const { mutate: download, isPending } = useMutationOnce({ mutationFn: downloadFile });
  return (
    <Group gap="xs">
      <Button
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => download(file.id)}
        aria-busy={isPending}
      >
        {t('storage:download')}
      </Button>
      {can('storage.update') && (
        <Button
          variant="default"
          leftSection={<IconEdit size={16} aria-hidden />}
          onClick={() => setDialog('rename')}
        >
          {t('storage:renameShort')}
        </Button>
      )}
      {can('storage.update') && !isUsed && (
        <Button
          variant="default"
          leftSection={<IconClock size={16} aria-hidden />}
          onClick={() => setDialog('expiry')}
        >
          {t('storage:expiryShort')}
        </Button>
      )}
      {can('storage.remove') && (
        <Tooltip label={t('storage:lockedHint')} disabled={!isUsed} multiline maw={300}>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            data-disabled={isUsed || undefined}
            aria-disabled={isUsed || undefined}
            aria-description={isUsed ? t('storage:lockedHint') : undefined}
            onClick={() => isUsed || setDialog('remove')}
          >
            {t('storage:removeShort')}
          </Button>
        </Tooltip>
      )}
      <RenameDialog row={dialog === 'rename' ? file : null} onClose={close} />
      <ExpiryDialog row={dialog === 'expiry' ? file : null} onClose={close} />
      <RemoveFile row={dialog === 'remove' ? file : null} onClose={close} />
    </Group>
  );
}

/** 75 is `1:15`. */
const durationText = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

function FileFacts({ file }: { file: StoredFile }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { width, height, duration, pages } = file.meta;
  const time = (iso: string) => <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  return (
    <Facts
      facts={[
        { label: t('storage:filename'), value: file.filename },
        { label: t('storage:type'), value: file.type },
        { label: t('storage:size'), value: formats.bytes(file.size) },
        { label: t('storage:dimensions'), value: width && height && `${width} × ${height}` },
        { label: t('storage:duration'), value: duration && durationText(duration) },
        { label: t('storage:pages'), value: pages && formats.number(pages) },
        { label: t('storage:expires'), value: file.expiredAt && time(file.expiredAt) },
        { label: t('storage:created'), value: time(file.createdAt) },
        { label: t('storage:updated'), value: time(file.updatedAt) },
        {
          label: t('storage:hash'),
          value: <Code style={{ overflowWrap: 'anywhere' }}>{file.hash}</Code>,
        },
        { label: t('storage:id'), value: <CopyId id={file.id} /> },
      ]}
    />
  );
}
