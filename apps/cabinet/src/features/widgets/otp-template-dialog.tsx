import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { OtpTemplateForm } from './otp-template-form.tsx';
import { otpTemplateQuery } from './widgets.api.ts';

export function OtpTemplateDialog() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={otpTemplateQuery}
      mayCreate={can('otp-settings.create')}
      frame={Dialog}
      size={640}
      createTitle={t('widgets:templates.createTitle')}
      title={(row) => row?.name ?? t('widgets:templates.detail')}
      failed={t('widgets:templates.detailFailed')}
    >
      {(row, onClose) => (
        <OtpTemplateForm
          key={row?.id}
          row={row}
          readOnly={!!row && !can('otp-settings.update')}
          onClose={onClose}
        />
      )}
    </RowDialog>
  );
}
