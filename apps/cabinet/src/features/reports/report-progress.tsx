import type { Report } from '@heliograph/contract';
import { Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';

/** A report is never shown as whole before it is: the number of rows is an estimate. */
const MAX_SHARE = 99;

/** Rows written so far; of a report that is over, what became of it. */
export function ReportProgress({ report }: { report: Report }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { state, reason, replaced, progress } = report;
  const rows = formats.number(progress.rows);
  if (state === 'failed' && reason) return <Note>{t(`reports:failure.${reason}`)}</Note>;
  if (state === 'completed') {
    const made = progress.rows
      ? t('reports:rows', { count: progress.rows, number: rows })
      : t('reports:noRows');
    const characters = { count: replaced, number: formats.number(replaced) };
    return <Note>{replaced > 0 ? `${made} ${t('reports:replaced', characters)}` : made}</Note>;
  }
  if (state !== 'running') return null;
  const share = progress.total ? Math.min(MAX_SHARE, (progress.rows / progress.total) * 100) : 0;
  return (
    <div>
      <Progress
        size="md"
        value={share || 100}
        animated={!share}
        aria-label={t('reports:progressOf', { name: report.filename })}
      />
      <Note>
        {progress.total
          ? t('reports:progress', { rows, total: formats.number(progress.total) })
          : t('reports:working')}
      </Note>
    </div>
  );
}

function Note({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" mt={2} className="numeric" style={{ whiteSpace: 'normal' }}>
      {children}
    </Text>
  );
}
