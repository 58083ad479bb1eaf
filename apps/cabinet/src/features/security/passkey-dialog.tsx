import { MAX_PASSKEY_TITLE, type Passkey } from '@heliograph/contract';
import { Alert, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { showSuccess } from '../../core/toast.tsx';
import { NoPasskey, newCredential, type PasskeyFailure } from '../../core/webauthn.ts';
import { CodeInput } from '../../ui/code-input.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import {
  factorQuery,
  useBeginPasskey,
  useCreatePasskey,
  useRenamePasskey,
} from './security.api.ts';

interface PasskeyDialogProps {
  /** Null for a new one. */
  row: Passkey | null;
  opened: boolean;
  onClose: () => void;
}

/** Adds a passkey, or renames one. */
export function PasskeyDialog({ row, opened, onClose }: PasskeyDialogProps) {
  const { t } = useTranslation();
  const title = t(row ? 'security:passkeys.renameTitle' : 'security:passkeys.addTitle');
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={500}>
      {row ? <Rename row={row} onClose={onClose} /> : <Add onClose={onClose} />}
    </Dialog>
  );
}

/** Name and password, then the question of the browser. */
function Add({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const begin = useBeginPasskey();
  const create = useCreatePasskey();
  const { data: factor } = useQuery(factorQuery);
  const needsCode = factor?.isEnabled ?? false;
  const [failure, setFailure] = useState<PasskeyFailure | null>(null);
  const form = useContractForm({
    initial: { title: '', password: '', code: '' },
    check: ({ title, password, code }) => ({
      title: !title.trim() && 'required',
      password: !password && 'required',
      code: needsCode && !code.trim() && 'required',
    }),
    async submit({ title, password, code }): Promise<PasskeyFailure | null> {
      setFailure(null);
      const options = await begin.mutateAsync({
        password,
        ...(needsCode && { code: code.trim() }),
      });
      try {
        const credential = await newCredential(options);
        await create.mutateAsync({ title: title.trim(), credential });
        return null;
      } catch (error) {
        if (error instanceof NoPasskey) return error.reason;
        throw error;
      }
    },
    onDone(reason) {
      if (reason) return setFailure(reason);
      showSuccess(t('security:passkeys.added'));
      onClose();
    },
    // The same again, after the browser was told to cancel.
    repeats: true,
  });
  return (
    <ContractForm form={form} submit={t('security:passkeys.next')} onCancel={onClose}>
      <Text size="sm">{t('security:passkeys.addText')}</Text>
      {/* Always present, so that screen readers announce what appears in it. */}
      <div aria-live="assertive">
        {failure && <Alert color="red">{t(`security:passkeys.${failure}`)}</Alert>}
      </div>
      <TextInput
        {...form.field('title')}
        label={t('security:passkeys.name')}
        description={t('security:passkeys.nameHint')}
        maxLength={MAX_PASSKEY_TITLE}
        required
        data-autofocus
      />
      <SecretInput
        {...form.field('password')}
        label={t('security:password')}
        autoComplete="current-password"
      />
      {needsCode && (
        <CodeInput {...form.field('code')} label={t('security:anyCode')} takesRecovery />
      )}
    </ContractForm>
  );
}

function Rename({ row, onClose }: { row: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useRenamePasskey(row.id);
  const form = useContractForm({
    initial: { title: row.title },
    check: ({ title }) => ({ title: !title.trim() && 'required' }),
    isEdit: true,
    submit: mutateAsync,
    onDone() {
      showSuccess(t('security:passkeys.renamed'));
      onClose();
    },
  });
  return (
    <ContractForm form={form} submit={t('security:passkeys.save')} onCancel={onClose}>
      <TextInput
        {...form.field('title')}
        label={t('security:passkeys.name')}
        maxLength={MAX_PASSKEY_TITLE}
        required
        data-autofocus
      />
    </ContractForm>
  );
}
