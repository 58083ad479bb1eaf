import type { Report } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveReport } from './reports.api.ts';

interface RemoveReportProps {
  row: Report | null;
  onClose: () => void;
}

export function RemoveReport(props: RemoveReportProps) {
  const { t } = useTranslation();
  return (
    <RemoveDialog
      {...props}
      words={({ filename }) => ({
        question: t('reports:removeQuestion', { name: filename }),
        action: t('reports:removeAction'),
        text: t('reports:removeText'),
      })}
      change={useRemoveReport()}
    />
  );
}
