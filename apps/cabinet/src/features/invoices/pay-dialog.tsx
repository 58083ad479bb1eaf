import type { Invoice } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { usePayInvoice } from './invoices.api.ts';

interface PayDialogProps {
  invoice: Invoice | null;
  onClose: () => void;
}

export function PayDialog({ invoice, onClose }: PayDialogProps) {
  const { t } = useTranslation();
  const shown = useLast(invoice);
  const formats = useFormats(shown?.currency);
  const { mutate, isPending } = usePayInvoice();
  if (!shown) return null;
  const { docNumber: number, id, requisite } = shown;
  const values = { number, amount: formats.money(shown.amount), name: requisite?.title ?? '' };
  return (
    <ConfirmDialog
      opened={!!invoice}
      title={t('invoices:payTitle', values)}
      action={t('invoices:pay')}
      busy={isPending}
      onConfirm={() =>
        mutate(id, {
          onSuccess() {
            showSuccess(t('invoices:paid', values));
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      {t('invoices:payText', values)}
    </ConfirmDialog>
  );
}
