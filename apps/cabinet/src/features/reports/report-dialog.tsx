import { type ReportWhere, isDetailed } from '@heliograph/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { downloadFile } from '../../ui/download-file.ts';
import { ReportBadge } from './report-badge.tsx';
import { ReportForm } from './report-form.tsx';
import { ReportProgress } from './report-progress.tsx';
import { isUnfinished, reportQuery, useCancelReport } from './reports.api.ts';

interface ReportDialogProps {
  opened: boolean;
  onClose: () => void;
  source?: 'sendings' | 'billings';
  /** The filter of the list that the report is requested from. */
  where?: ReportWhere;
  /** Its period: of `PERIODS`, or `from..to`. */
  period?: string;
}

/** Requests a report, then shows its progress until the file can be downloaded. */
export function ReportDialog({ opened, onClose, ...given }: ReportDialogProps) {
  const { t } = useTranslation();
  const [id, setId] = useState<string | null>(null);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setId(null)}
      size={600}
      title={t('reports:create')}
    >
      {id ? (
        <ReportWaiting id={id} onClose={onClose} />
      ) : (
        <ReportForm {...given} onCreated={setId} onCancel={onClose} />
      )}
    </Dialog>
  );
}

/** A requested report. A detailed one is downloaded as soon as it is ready. */
function ReportWaiting({ id, onClose }: { id: string; onClose: () => void }) {
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
