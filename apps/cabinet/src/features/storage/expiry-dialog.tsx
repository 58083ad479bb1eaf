import { storage, type StoredFile } from '@heliograph/contract';
import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { localIso, localText, localTime, MAX_LOCAL } from '../../core/time-zone.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FileExpiry } from './file-expiry.tsx';
import { useUpdateFile } from './storage.api.ts';

interface ExpiryDialogProps {
  /** None closes it. */
  row: StoredFile | null;
  onClose: () => void;
}

/** When a file is deleted. */
export function ExpiryDialog({ row, onClose }: ExpiryDialogProps) {
  const { t } = useTranslation();
  const last = useLast(row);
  return (
    <Dialog opened={!!row} onClose={onClose} title={t('storage:expiryTitle')} size={500}>
      {last && <ExpiryForm row={last} onClose={onClose} />}
    </Dialog>
  );
}

function ExpiryForm({ row, onClose }: { row: StoredFile; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useUpdateFile(row.id);
  const form = useContractForm({
    initial: { expiredAt: row.expiredAt ? localText(Date.parse(row.expiredAt)) : '' },
    isEdit: true,
    schema: storage.update.body,
    check: ({ expiredAt }) =>
      !expiredAt || localTime(expiredAt) > Date.now() ? {} : { expiredAt: 'past' },
    toBody: ({ expiredAt }) => ({ expiredAt: localIso(expiredAt) }),
    submit: mutateAsync,
    onDone({ title }) {
      showSuccess(t('storage:expirySaved', { title }));
      onClose();
    },
  });
  const { expiredAt } = form.values;
  const time = localTime(expiredAt);
  return (
    <ContractForm form={form} submit={t('storage:save')} onCancel={onClose}>
      <TextInput
        {...form.field('expiredAt')}
        type="datetime-local"
        max={MAX_LOCAL}
        label={t('storage:expires')}
        description={t('storage:expiryHint')}
        data-autofocus
      />
      {time > Date.now() && <FileExpiry at={new Date(time).toISOString()} />}
    </ContractForm>
  );
}
