import { invoices, type Invoice } from '@heliograph/contract';
import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useRejectInvoice } from './invoices.api.ts';

interface RejectDialogProps {
  invoice: Invoice;
  opened: boolean;
  onClose: () => void;
}

export function RejectDialog({ invoice, opened, onClose }: RejectDialogProps) {
  const { t } = useTranslation();
  const title = t('invoices:rejectTitle', { number: invoice.docNumber });
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={500}>
      <RejectForm invoice={invoice} onClose={onClose} />
    </Dialog>
  );
}

function RejectForm({ invoice, onClose }: Omit<RejectDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const { mutateAsync } = useRejectInvoice(invoice.id);
  const form = useContractForm({
    initial: { reason: '' },
    schema: invoices.reject.body,
    submit: mutateAsync,
    onDone() {
      showSuccess(t('invoices:rejected', { number: invoice.docNumber }));
      onClose();
    },
  });
  return (
    <ContractForm
      form={form}
      footer={<FormFooter form={form} submit={t('invoices:reject')} onCancel={onClose} />}
    >
      <Textarea
        {...form.field('reason')}
        label={t('invoices:reason')}
        description={t('invoices:reasonHint')}
        autosize
        minRows={2}
        maxLength={500}
      />
    </ContractForm>
  );
}
