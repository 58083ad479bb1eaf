import type { OtpChannel } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { OtpChannelForm } from './otp-channel-form.tsx';
import {
  otpChannelQuery,
  useCreateChannel,
  useUpdateChannel,
  type ChannelDraft,
} from './widgets.api.ts';

const WIDTH = 560;

/** New channel settings, `?create=true`. */
export function CreateChannelDialog() {
  const { t } = useTranslation();
  const can = useCan();
  const [creating, setCreating] = useParam('create');
  const create = useCreateChannel();
  const close = () => setCreating(null, { replace: true });
  const done = ({ name }: OtpChannel) => {
    showSuccess(t('widgets:createdDone', { name }));
    close();
  };
  return (
    <Dialog
      opened={creating !== null && can('otp-settings.create')}
      onClose={close}
      size={WIDTH}
      title={t('widgets:channels.createTitle')}
    >
      <OtpChannelForm row={null} submit={create.mutateAsync} onDone={done} onClose={close} />
    </Dialog>
  );
}

/** Channel settings to read and change, `?id=`. */
export function EditChannelDialog() {
  const { t } = useTranslation();
  const can = useCan();
  const detail = useDetail(otpChannelQuery);
  return (
    <Dialog
      {...detail.frame}
      size={WIDTH}
      title={detail.data?.name ?? t('widgets:channels.detail')}
    >
      <DetailBody detail={detail} failed={t('widgets:channels.detailFailed')}>
        {(row) => (
          <EditForm
            key={row.id}
            row={row}
            readOnly={!can('otp-settings.update')}
            onClose={detail.frame.onClose}
          />
        )}
      </DetailBody>
    </Dialog>
  );
}

interface EditFormProps {
  row: OtpChannel;
  readOnly: boolean;
  onClose: () => void;
}

function EditForm({ row, ...props }: EditFormProps) {
  const { t } = useTranslation();
  const update = useUpdateChannel(row.id);
  const submit = ({ channelType: _, ...changes }: ChannelDraft) => update.mutateAsync(changes);
  const done = ({ name }: OtpChannel) => {
    showSuccess(t('widgets:saved', { name }));
    props.onClose();
  };
  return <OtpChannelForm row={row} submit={submit} onDone={done} {...props} />;
}
