import type { ReportWhere } from '@heliograph/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { ReportForm } from './report-form.tsx';
import { ReportWaiting } from './report-waiting.tsx';

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
