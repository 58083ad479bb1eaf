import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { CodeInput } from '../../ui/code-input.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useDisable, useReplaceCodes } from './security.api.ts';
import { SecondFactorSetupSection } from './setup-section.tsx';

export type FactorChange = 'enable' | 'disable' | 'codes';

interface FactorDialogProps {
  change: FactorChange;
  opened: boolean;
  onClose: () => void;
}

/** Turns the second factor on or off, or replaces the recovery codes. */
export function FactorDialog({ change, opened, onClose }: FactorDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t(`security:${change}Title`)} size={500}>
      {change === 'enable' && (
        <SecondFactorSetupSection
          onDone={() => {
            showSuccess(t('security:enabled'));
            onClose();
          }}
        />
      )}
      {change === 'disable' && <Disable onClose={onClose} />}
      {change === 'codes' && <NewCodes onClose={onClose} />}
    </Dialog>
  );
}

function Disable({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const change = useDisable();
  return (
    <ProofForm
      text={t('security:disableText')}
      submit={t('security:disable')}
      change={change}
      onDone={() => {
        showSuccess(t('security:disabled'));
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

function NewCodes({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [codes, setCodes] = useState<string[] | null>(null);
  const change = useReplaceCodes();
  if (codes) return <RecoveryCodes codes={codes} onDone={onClose} />;
  return (
    <ProofForm
      text={t('security:codesText')}
      submit={t('security:codesSubmit')}
      change={change}
      onDone={(result) => setCodes(result.codes)}
      onCancel={onClose}
    />
  );
}

interface ProofFormProps<R> {
  /** What happens then. */
  text: string;
  submit: string;
  change: { mutateAsync: (proof: { password: string; code: string }) => Promise<R> };
  onDone: (result: R) => void;
  onCancel: () => void;
}

/** Password and code, which changes of the second factor need. */
function ProofForm<R>({ text, submit, change, onDone, onCancel }: ProofFormProps<R>) {
  const { t } = useTranslation();
  const form = useContractForm({
    initial: { password: '', code: '' },
    check: ({ password, code }) => ({
      password: !password && 'required',
      code: !code.trim() && 'required',
    }),
    submit: change.mutateAsync,
    onDone,
  });
  return (
    <ContractForm form={form} submit={submit} onCancel={onCancel}>
      <Text size="sm">{text}</Text>
      <SecretInput
        {...form.field('password')}
        label={t('security:password')}
        autoComplete="current-password"
        data-autofocus
      />
      <CodeInput {...form.field('code')} label={t('security:anyCode')} takesRecovery />
    </ContractForm>
  );
}
