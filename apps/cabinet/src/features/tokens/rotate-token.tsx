import { tokens, type Token, type TokenWithSecret } from '@heliograph/contract';
import { MAX_TOKEN_OVERLAP_DAYS } from '@heliograph/domain';
import { Alert, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TokenCopy } from './token-copy.tsx';
import { useRotateToken } from './tokens.api.ts';

interface RotateTokenProps {
  row: Token | null;
  onClose: () => void;
}

/** Replaces the secret of a token and shows the new one. Closing clears it. */
export function RotateToken({ row, onClose }: RotateTokenProps) {
  const { t } = useTranslation();
  const shown = useLast(row);
  const [created, setCreated] = useState<TokenWithSecret | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  if (!shown) return null;
  const { description } = shown;
  const title = created ? t('tokens:copyTitle') : t('tokens:rotateTitle', { description });
  return (
    <Dialog opened={!!row} onClose={close} size={600} title={title}>
      {created ? (
        <TokenCopy created={created} onClose={close} />
      ) : (
        <RotateForm key={shown.id} row={shown} onDone={setCreated} onClose={close} />
      )}
    </Dialog>
  );
}

interface RotateFormProps {
  row: Token;
  onDone: (created: TokenWithSecret) => void;
  onClose: () => void;
}

const OVERLAPS = Array.from({ length: MAX_TOKEN_OVERLAP_DAYS + 1 }, (_, days) => days);

function RotateForm({ row, onDone, onClose }: RotateFormProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { id, prefix, previous } = row;
  const { mutateAsync } = useRotateToken(id);
  // A third secret is refused: the former two can only end together.
  const [isBusy] = useState(() => !!previous && new Date(previous.validUntil) > new Date());
  const form = useContractForm({
    initial: { overlapDays: isBusy ? '0' : '1' },
    schema: tokens.rotate.body,
    toBody: ({ overlapDays }) => ({ overlapDays: Number(overlapDays), prefix }),
    submit: mutateAsync,
    onDone,
  });
  return (
    <ContractForm form={form} submit={t('tokens:rotateSubmit')} onCancel={onClose}>
      <Text size="sm">{t('tokens:rotateText')}</Text>
      {isBusy && previous && (
        <Alert color="orange" variant="light">
          {t('tokens:rotateBusy', {
            prefix: previous.prefix,
            time: formats.dateTime(previous.validUntil),
          })}
        </Alert>
      )}
      <NativeSelect
        {...form.field('overlapDays')}
        label={t('tokens:overlap')}
        data={(isBusy ? [0] : OVERLAPS).map((count) => ({
          value: String(count),
          label: count ? t('tokens:overlapDays', { count }) : t('tokens:overlapNone'),
        }))}
      />
    </ContractForm>
  );
}
