import type { StoredFile } from '@heliograph/contract';
import { Code } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';

/** 75 is `1:15`. */
const durationText = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

export function FileFacts({ file }: { file: StoredFile }) {
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
