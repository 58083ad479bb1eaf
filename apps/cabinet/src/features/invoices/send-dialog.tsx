import { invoices, type Invoice } from '@heliograph/contract';
import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useSendInvoice } from './invoices.api.ts';

interface SendDialogProps {
  invoice: Invoice;
  opened: boolean;
  onClose: () => void;
}

export function SendDialog({ invoice, opened, onClose }: SendDialogProps) {
  const { t } = useTranslation();
  const title = t('invoices:sendTitle', { number: invoice.docNumber });
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={500}>
      <SendForm invoice={invoice} onClose={onClose} />
    </Dialog>
  );
}

function SendForm({ invoice, onClose }: Omit<SendDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const { mutateAsync } = useSendInvoice(invoice.id);
  const form = useContractForm({
    initial: { to: invoice.email?.to ?? '' },
    schema: invoices.send.body,
    // The same address gets it again.
    repeats: true,
    submit: mutateAsync,
    onDone(_, { to }) {
      showSuccess(t('invoices:sending', { to }));
      onClose();
    },
  });
  return (
    <ContractForm form={form} submit={t('invoices:send')} onCancel={onClose}>
      <TextInput
        {...form.text('to')}
        type="email"
        label={t('invoices:email')}
        description={t('invoices:emailHint')}
        required
      />
    </ContractForm>
  );
}
