import { recurringSendings, type RecurringSending } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { RecurringForm } from './recurring-form.tsx';
import { valuesOf } from './recurring-values.ts';
import { useUpdateRecurring } from './recurring-sendings.api.ts';

interface RecurringDialogProps {
  row: RecurringSending;
  onClose: () => void;
}

/** Changes the name and the times. One that has ended runs again with its new times. */
export function RecurringDialog({ row, onClose }: RecurringDialogProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useUpdateRecurring(row.id);
  const hasEnded = row.reason === 'ended';
  return (
    <Dialog
      opened
      onClose={onClose}
      size={600}
      title={t('recurringSendings:edit', { title: row.title })}
    >
      <RecurringForm
        initial={valuesOf(row)}
        schema={recurringSendings.update.body}
        isEdit
        runs={row.runs}
        bodyOf={(timing) => ({ ...timing, ...(hasEnded && { isActive: true }) })}
        save={mutateAsync}
        submit={t(hasEnded ? 'recurringSendings:saveAndResume' : 'recurringSendings:save')}
        onDone={onClose}
        onCancel={onClose}
      />
    </Dialog>
  );
}
