import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { OtpChannelForm } from './otp-channel-form.tsx';
import { otpChannelQuery } from './widgets.api.ts';

export function OtpChannelDialog() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={otpChannelQuery}
      mayCreate={can('otp-settings.create')}
      frame={Dialog}
      size={560}
      createTitle={t('widgets:channels.createTitle')}
      title={(row) => row?.name ?? t('widgets:channels.detail')}
      failed={t('widgets:channels.detailFailed')}
    >
      {(row, onClose) => (
        <OtpChannelForm
          key={row?.id}
          row={row}
          readOnly={!!row && !can('otp-settings.update')}
          onClose={onClose}
        />
      )}
    </RowDialog>
  );
}
