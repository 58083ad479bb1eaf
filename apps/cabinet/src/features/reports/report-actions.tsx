import type { Report } from '@heliograph/contract';
import { Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '../../ui/download-file.ts';
import { useCan } from '../../core/settings.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconDownload, IconRepeat, IconStop, IconTrash } from '../../ui/icons.ts';
import { isUnfinished, useCancelReport, useRepeatReport } from './reports.api.ts';

interface ReportActionsProps {
  report: Report;
  onRemove: (report: Report) => void;
}

export function ReportActions({ report, onRemove }: ReportActionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const download = useMutationOnce({ mutationFn: downloadFile });
  const cancel = useCancelReport();
  const repeat = useRepeatReport();
  const { id, filename: name, hasFile } = report;
  const isOpen = isUnfinished(report);
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {hasFile && can('storage.get') && (
        <IconAction
          icon={IconDownload}
          word="download"
          label={t('reports:download', { name })}
          onClick={() => download.mutate(id)}
        />
      )}
      {isOpen && can('reports.create') && (
        <IconAction
          icon={IconStop}
          word="cancel"
          label={t('reports:cancel', { name })}
          onClick={() => cancel.mutate(id)}
        />
      )}
      {!isOpen && can('reports.create') && (
        <IconAction
          icon={IconRepeat}
          word="recreate"
          label={t('reports:repeat', { name })}
          onClick={() => repeat.mutate(report)}
        />
      )}
      {can('reports.remove') && (
        <IconAction
          icon={IconTrash}
          word="remove"
          label={t('reports:remove', { name })}
          onClick={() => onRemove(report)}
        />
      )}
    </Group>
  );
}
