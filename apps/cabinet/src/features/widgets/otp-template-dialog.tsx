import type { OtpTemplate } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { OtpTemplateForm } from './otp-template-form.tsx';
import {
  otpTemplateQuery,
  useCreateTemplate,
  useUpdateTemplate,
  type TemplateDraft,
} from './widgets.api.ts';

const WIDTH = 640;

/** A new message template, `?create=true`. */
export function CreateTemplateDialog() {
  const { t } = useTranslation();
  const can = useCan();
  const [creating, setCreating] = useParam('create');
  const create = useCreateTemplate();
  const close = () => setCreating(null, { replace: true });
  const done = ({ name }: OtpTemplate) => {
    showSuccess(t('widgets:createdDone', { name }));
    close();
  };
  return (
    <Dialog
      opened={creating !== null && can('otp-settings.create')}
      onClose={close}
      size={WIDTH}
      title={t('widgets:templates.createTitle')}
    >
      <OtpTemplateForm row={null} submit={create.mutateAsync} onDone={done} onClose={close} />
    </Dialog>
  );
}

/** A message template to read and change, `?id=`. */
export function EditTemplateDialog() {
  const { t } = useTranslation();
  const can = useCan();
  const detail = useDetail(otpTemplateQuery);
  return (
    <Dialog
      {...detail.frame}
      size={WIDTH}
      title={detail.data?.name ?? t('widgets:templates.detail')}
    >
      <DetailBody detail={detail} failed={t('widgets:templates.detailFailed')}>
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
  row: OtpTemplate;
  readOnly: boolean;
  onClose: () => void;
}

function EditForm({ row, ...props }: EditFormProps) {
  const { t } = useTranslation();
  const update = useUpdateTemplate(row.id);
  const submit = ({ channelType: _, ...changes }: TemplateDraft) => update.mutateAsync(changes);
  const done = ({ name }: OtpTemplate) => {
    showSuccess(t('widgets:saved', { name }));
    props.onClose();
  };
  return <OtpTemplateForm row={row} submit={submit} onDone={done} {...props} />;
}
