import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useParam } from '../../core/use-param.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { InvoiceForm } from './invoice-form-section.tsx';

/** Issues an invoice, `?create=true`, and shows it. */
export function InvoiceDialog() {
  const { t } = useTranslation();
  const [creating, setCreating] = useParam('create');
  const [, setParams] = useSearchParams();
  return (
    <Dialog
      opened={!!creating}
      onClose={() => setCreating(null)}
      title={t('invoices:createTitle')}
      size={600}
    >
      <InvoiceForm onCancel={() => setCreating(null)} onIssued={({ id }) => setParams({ id })} />
    </Dialog>
  );
}
