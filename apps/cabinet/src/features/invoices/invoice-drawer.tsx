import { type Invoice, invoices } from '@heliograph/contract';
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { withTexts } from '../../core/i18n/i18n.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Sheet, Dialog } from '../../ui/dialog.tsx';
import { downloadFile } from '../../ui/download-file.ts';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconCheck, IconDownload, IconMail, IconX } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { InvoiceFacts } from './invoice-facts.tsx';
import { documentQuery, invoiceQuery, usePayInvoice, useRejectInvoice } from './invoices.api.ts';
import { SendDialog } from './send-dialog.tsx';

const PdfPreview = later(
  async () => (await withTexts(['storage'], () => import('../storage/pdf-section.tsx'))).PdfPreview,
);

/** One invoice, `?id=`: its document, what is known of it, and what can be done with it. */
export function InvoiceDrawer() {
  const { t } = useTranslation();
  const detail = useDetail(invoiceQuery);
  const { data } = detail;
  const title = data ? t(`invoices:titles.${data.type}`, { number: data.docNumber }) : '';
  return (
    <Sheet {...detail.frame} size="lg" title={title || t('invoices:detail')}>
      <DetailBody detail={detail} failed={t('invoices:detailFailed')}>
        {(invoice) => (
          <Stack>
            <Actions invoice={invoice} />
            <InvoiceFacts invoice={invoice} />
            <Document invoice={invoice} />
          </Stack>
        )}
      </DetailBody>
    </Sheet>
  );
}

function Document({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(documentQuery(invoice.id));
  if (!data)
    return (
      error && (
        <ErrorCard
          title={t('invoices:detailFailed')}
          error={error}
          onRetry={() => void refetch()}
        />
      )
    );
  return <PdfPreview file={{ id: data.documentId, title: invoice.docNumber }} />;
}

/** Its dialogs are inside of the drawer, so that they lie above it. */
function Actions({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const can = useCan();
  const { session } = useSettings();
  const [dialog, setDialog] = useState<'pay' | 'reject' | 'send' | null>(null);
  const { data, refetch } = useQuery(documentQuery(invoice.id));
  const { mutate: download, isPending } = useMutationOnce({
    async mutationFn() {
      // Waited for if it is being made, and read once more if that failed.
      const made = data ?? (await refetch({ cancelRefetch: false, throwOnError: true })).data!;
      await downloadFile(made.documentId);
    },
  });
  const close = () => setDialog(null);
  const decides =
    can('invoices.update', 'managerUp') &&
    invoice.status === 'pending' &&
    invoice.OwnerId !== session.OwnerId;
  return (
    <Group gap="xs">
      {decides && (
        <Button leftSection={<IconCheck size={16} aria-hidden />} onClick={() => setDialog('pay')}>
          {t('invoices:pay')}
        </Button>
      )}
      {decides && (
        <Button
          variant="default"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={() => setDialog('reject')}
        >
          {t('invoices:reject')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => download()}
        aria-busy={isPending}
      >
        {t('invoices:download')}
      </Button>
      {invoice.status !== 'rejected' && (
        <Button
          variant="default"
          leftSection={<IconMail size={16} aria-hidden />}
          onClick={() => setDialog('send')}
        >
          {t('invoices:send')}
        </Button>
      )}
      <PayDialog invoice={dialog === 'pay' ? invoice : null} onClose={close} />
      <RejectDialog invoice={invoice} opened={dialog === 'reject'} onClose={close} />
      <SendDialog invoice={invoice} opened={dialog === 'send'} onClose={close} />
    </Group>
  );
}

interface PayDialogProps {
  invoice: Invoice | null;
  onClose: () => void;
}

function PayDialog({ invoice, onClose }: PayDialogProps) {
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

interface RejectDialogProps {
  invoice: Invoice;
  opened: boolean;
  onClose: () => void;
}

function RejectDialog({ invoice, opened, onClose }: RejectDialogProps) {
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
    <ContractForm form={form} submit={t('invoices:reject')} onCancel={onClose}>
      <Textarea
        {...form.text('reason')}
        label={t('invoices:reason')}
        description={t('invoices:reasonHint')}
        autosize
        minRows={2}
      />
    </ContractForm>
  );
}
