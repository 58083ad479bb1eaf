import { documentTemplates, type Requisite, type GenerateInput } from '@heliograph/contract';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { api } from '../../core/api.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { useLast } from '../../core/use-last.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { downloadFile } from '../../ui/download-file.ts';
import { IconAlertTriangle } from '../../ui/icons.ts';
import {
  companySource,
  optionsQuery,
  requisiteQuery,
  requisiteSource,
} from '../invoices/invoices.api.ts';

interface ContractDialogProps {
  /** The requisites that the contract begins with. */
  row: Requisite | null;
  onClose: () => void;
}

/** Makes the contract of requisites with a company and downloads it. */
export function ContractDialog({ row, onClose }: ContractDialogProps) {
  const { t } = useTranslation();
  const shown = useLast(row);
  return (
    <Dialog opened={!!row} onClose={onClose} title={t('requisites:contract.title')} size={600}>
      {shown && <Sides key={shown.id} row={shown} onClose={onClose} />}
    </Dialog>
  );
}

function Sides({ row, onClose }: { row: Requisite; onClose: () => void }) {
  const { t } = useTranslation();
  const { OwnerId } = row;
  const { mutateAsync } = useDownloadContract();
  const form = useContractForm({
    initial: { requisiteId: row.id as string | null, companyId: null as string | null },
    schema: documentTemplates.generate.body,
    toBody: ({ requisiteId, companyId }) => ({
      type: 'contract' as const,
      requisiteId: requisiteId!,
      companyId: companyId!,
      customerId: OwnerId,
    }),
    blockedBy: ({ requisiteId, companyId }) =>
      requisiteId && companyId ? null : t('requisites:contract.incomplete'),
    submit: mutateAsync,
    onDone() {
      showSuccess(t('requisites:contract.done'));
      onClose();
    },
  });
  const { requisiteId, companyId } = form.values;
  const { data: requisite } = useQuery({
    ...requisiteQuery(requisiteId ?? ''),
    enabled: !!requisiteId,
  });
  const chosen = requisiteId ? requisite : undefined;
  const companies = companySource(OwnerId, chosen?.data.tax.vat ?? false, 'contract');
  const { data: found, error } = useQuery({ ...optionsQuery(companies), enabled: !!chosen });
  return (
    <ContractForm
      form={form}
      guarded={false}
      submit={t('requisites:contract.submit')}
      onCancel={onClose}
    >
      <AsyncSelect
        {...form.field('requisiteId')}
        source={requisiteSource(OwnerId)}
        value={requisiteId}
        onChange={(next) => form.set({ requisiteId: next, companyId: null })}
        label={t('requisites:editTitle')}
        required
      />
      {chosen && found?.data.length === 0 && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {t('requisites:contract.noCompanies')}
        </Alert>
      )}
      {chosen && (error || !!found?.data.length) && (
        <AsyncSelect
          {...form.field('companyId')}
          key={requisiteId}
          source={companies}
          value={companyId}
          label={t('requisites:contract.company')}
          required
        />
      )}
    </ContractForm>
  );
}

/** Makes a contract, which is stored, and starts its download. */
const useDownloadContract = () =>
  useMutationOnce({
    async mutationFn(body: z.input<typeof GenerateInput>) {
      const { id } = await api(documentTemplates.generate, { body });
      await downloadFile(id);
    },
    meta: { invalidates: ['storage', 'contracts'], isInSteps: true, showsErrors: true },
  });
