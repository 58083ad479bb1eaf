import { storage, type StoredFile } from '@heliograph/contract';
import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useUpdateFile } from './storage.api.ts';

interface RenameDialogProps {
  /** None closes it. */
  row: StoredFile | null;
  onClose: () => void;
}

export function RenameDialog({ row, onClose }: RenameDialogProps) {
  const { t } = useTranslation();
  const last = useLast(row);
  return (
    <Dialog opened={!!row} onClose={onClose} title={t('storage:renameTitle')} size={500}>
      {last && <RenameForm row={last} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({ row, onClose }: { row: StoredFile; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useUpdateFile(row.id);
  const form = useContractForm({
    initial: { title: row.title },
    isEdit: true,
    schema: storage.update.body,
    // The schema lets it be left out.
    check: ({ title }) => (title.trim() ? {} : { title: 'required' }),
    toBody: ({ title }) => ({ title: title.trim() }),
    submit: mutateAsync,
    onDone({ title }) {
      showSuccess(t('storage:renamed', { title }));
      onClose();
    },
  });
  return (
    <ContractForm form={form} submit={t('storage:save')} onCancel={onClose}>
      <TextInput
        {...form.text('title')}
        label={t('storage:name')}
        required
        autoComplete="off"
        data-autofocus
      />
    </ContractForm>
  );
}
