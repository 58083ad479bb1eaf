import { MAX_RECURRING_RUNS, type RecurringRun, type RecurringSending } from '@heliograph/contract';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePolling } from '../../core/realtime/live.ts';
import { useFormats } from '../../core/use-formats.ts';
import { DetailBody } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { runsQuery } from './recurring-sendings.api.ts';
import { RunResult } from './run-result.tsx';

interface RunsDialogProps {
  row: RecurringSending;
  onClose: () => void;
}

/** The last runs, newest first: the bulks that were sent, and why others were not. */
export function RunsDialog({ row, onClose }: RunsDialogProps) {
  const { t } = useTranslation();
  const refetchInterval = usePolling('recurringSendings');
  const detail = useQuery({ ...runsQuery(row.id), refetchInterval });
  return (
    <Dialog
      opened
      onClose={onClose}
      size={500}
      title={t('recurringSendings:log', { title: row.title })}
    >
      <DetailBody detail={detail} failed={t('recurringSendings:logFailed')}>
        {({ data }) => <Runs runs={data} />}
      </DetailBody>
    </Dialog>
  );
}

function Runs({ runs }: { runs: RecurringRun[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Stack gap="sm">
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {runs.map((run) => (
          <Text key={run.dueAt} component="li" size="sm" py={4}>
            <RunResult run={run} />
          </Text>
        ))}
      </ul>
      {runs.length >= MAX_RECURRING_RUNS && (
        <Text size="xs" c="dimmed">
          {t('recurringSendings:kept', { number: formats.number(MAX_RECURRING_RUNS) })}
        </Text>
      )}
    </Stack>
  );
}
