import { isDetailed } from '@heliograph/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '../../ui/download-file.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ReportBadge } from './report-badge.tsx';
import { ReportProgress } from './report-progress.tsx';
import { isUnfinished, reportQuery, useCancelReport } from './reports.api.ts';

/** A requested report. A detailed one is downloaded as soon as it is ready. */
export function ReportWaiting({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { data: report } = useQuery(reportQuery(id));
  const { mutate: download, isPending } = useMutationOnce({ mutationFn: downloadFile });
  const cancel = useCancelReport();
  const isDownloaded = useRef(false);
  const isReady = report?.state === 'completed' && report.hasFile;
  const startsItself = !!report && isDetailed(report.preset);
  useEffect(() => {
    if (!isReady || !startsItself || isDownloaded.current) return;
    isDownloaded.current = true;
    download(id);
  }, [isReady, startsItself, id, download]);
  if (!report) return <Text c="dimmed">{t('reports:working')}</Text>;
  return (
    <Stack aria-live="polite">
      <Group justify="space-between">
        <Text fw={500}>{t(`reports:presets.${report.preset}`)}</Text>
        <ReportBadge state={report.state} />
      </Group>
      <ReportProgress report={report} />
      {isUnfinished(report) && <Text size="sm">{t('reports:mayClose')}</Text>}
      <Group justify="flex-end">
        {isUnfinished(report) && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(id)}>
            {t('reports:cancelAction')}
          </Button>
        )}
        {isReady && (
          <Button loading={isPending} onClick={() => download(id)}>
            {t('reports:downloadAction')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('reports:close')}
        </Button>
      </Group>
    </Stack>
  );
}
