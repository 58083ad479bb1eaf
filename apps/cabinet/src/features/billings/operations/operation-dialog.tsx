import type { BillingOperation, StoredFile } from '@heliograph/contract';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createFormats } from '../../../core/formats.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { StepperDialog, type DialogStep } from '../../../ui/stepper-dialog.tsx';
import { UploadProgress } from '../../../ui/upload-progress.tsx';
import { FileSelect } from '../../storage/file-select.tsx';
import { OperationColumnsStep } from './operation-columns.tsx';
import { OperationError } from './operation-error.tsx';
import { mappingOf, toColumns, type OperationMapping } from './operation-mapping.ts';
import { OperationPreview } from './operation-preview.tsx';
import { OperationProgress } from './operation-progress.tsx';
import { usePreviewOperation, useReadColumns, useRunOperation } from './operations.api.ts';

interface OperationDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Files whose formulas are recognised. */
const TYPES = [
  'text/csv',
  'text/plain',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];
const EXTENSIONS = ['csv', 'xlsx', 'txt'];

/** A file, its columns, what it does, and the task that does it. */
export function OperationDialog({ opened, onClose }: OperationDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const read = useReadColumns();
  const preview = usePreviewOperation();
  const start = useRunOperation();
  const [step, setStep] = useState(0);
  const [mapping, setMapping] = useState<OperationMapping | null>(null);
  const [hasHeader, setHeader] = useState(true);
  const [isAsking, setAsking] = useState(false);
  const operation: BillingOperation | undefined = preview.data;
  const busy = read.isPending || preview.isPending || start.isPending;
  const columns = mapping && toColumns(mapping);

  const onRead = (key: string, sheet?: string) =>
    read.mutate(
      { key, sheet },
      {
        onSuccess: ({ file }) => {
          setMapping(mappingOf(file));
          setHeader(file.hasHeader);
          preview.reset();
          setStep(1);
        },
      },
    );
  const onCheck = () => {
    if (!read.data || !columns) return;
    const { key, file } = read.data;
    const sheet = file.sheet ?? undefined;
    preview.mutate({ from: { key }, sheet, columns, hasHeader }, { onSuccess: () => setStep(2) });
  };
  const onRun = () =>
    operation &&
    start.mutate(operation, {
      onSuccess: () => setStep(3),
      onSettled: () => setAsking(false),
    });
  const restart = () => {
    for (const call of [read, preview, start]) call.reset();
    setStep(0);
  };
  const close = () => {
    onClose();
    restart();
  };

  const steps: DialogStep[] = [
    {
      title: t('operations:step.file'),
      content: (
        <Stack>
          <Text size="sm">{t('operations:fileHint')}</Text>
          <OperationError error={read.error} />
          <FileSelect
            preset="sheet"
            types={TYPES}
            extensions={EXTENSIONS}
            disabled={busy}
            onPick={({ key }: StoredFile) => onRead(key)}
          />
          <UploadProgress ratio={read.isPending ? 1 : null} then={t('operations:reading')} />
        </Stack>
      ),
    },
    {
      title: t('operations:step.columns'),
      content: read.data && mapping && (
        <Stack>
          <OperationError error={read.error ?? preview.error} />
          <OperationColumnsStep
            file={read.data.file}
            mapping={mapping}
            hasHeader={hasHeader}
            disabled={busy}
            onMapping={setMapping}
            onHeader={setHeader}
            onSheet={(sheet) => onRead(read.data.key, sheet)}
          />
        </Stack>
      ),
      confirm: (
        <Button onClick={onCheck} loading={preview.isPending} disabled={!columns || read.isPending}>
          {t('operations:check')}
        </Button>
      ),
    },
    {
      title: t('operations:step.preview'),
      content: operation && (
        <Stack>
          <OperationError error={start.error} />
          <OperationPreview operation={operation} />
        </Stack>
      ),
      confirm: (
        <Button onClick={() => setAsking(true)} disabled={!operation?.ready || busy}>
          {t('operations:run', { number: formats.number(operation?.ready ?? 0) })}
        </Button>
      ),
    },
    {
      title: t('operations:step.progress'),
      content: operation && <OperationProgress id={operation.id} />,
    },
  ];
  return (
    <>
      <StepperDialog
        opened={opened}
        title={t('operations:title')}
        steps={steps}
        step={step}
        onBack={step < 3 ? () => setStep(step - 1) : undefined}
        onClose={close}
        busy={busy}
        size={800}
      />
      <ConfirmOperation
        opened={isAsking}
        operation={operation}
        busy={start.isPending}
        onConfirm={onRun}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

interface ConfirmOperationProps {
  opened: boolean;
  operation: BillingOperation | undefined;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Names the sums of each currency before balances change. */
function ConfirmOperation({ operation, ...props }: ConfirmOperationProps) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  return (
    <ConfirmDialog
      {...props}
      title={t('operations:confirm.title')}
      action={t('operations:confirm.action')}
    >
      {operation?.sums.map(({ currency, credits, debits, accounts }) => {
        const { money } = createFormats(i18n.language, currency);
        return (
          <span key={currency}>
            {t('operations:confirm.sums', {
              currency,
              credits: money(credits),
              debits: money(debits),
              accounts: formats.number(accounts),
            })}{' '}
          </span>
        );
      })}
      {t('operations:confirm.text')}
    </ConfirmDialog>
  );
}
