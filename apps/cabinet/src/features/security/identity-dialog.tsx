import type { OfferedProvider } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { leaveForProvider } from '../../core/provider-visit.ts';
import { CodeInput } from '../../ui/code-input.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { factorQuery, useBeginIdentity } from './security.api.ts';

interface IdentityDialogProps {
  provider: OfferedProvider;
  opened: boolean;
  onClose: () => void;
}

/** The password, then the page of the identity provider. */
export function IdentityDialog({ provider, opened, onClose }: IdentityDialogProps) {
  const { t } = useTranslation();
  const { title } = provider;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('security:identities.link', { title })}
      size={500}
    >
      <LinkForm provider={provider} onClose={onClose} />
    </Dialog>
  );
}

function LinkForm({ provider: { id, title }, onClose }: Omit<IdentityDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const { mutateAsync } = useBeginIdentity(id);
  const { data: factor } = useQuery(factorQuery);
  const needsCode = factor?.isEnabled ?? false;
  const form = useContractForm({
    initial: { password: '', code: '' },
    check: ({ password, code }) => ({
      password: !password && 'required',
      code: needsCode && !code.trim() && 'required',
    }),
    submit: ({ password, code }) =>
      mutateAsync({ password, ...(needsCode && { code: code.trim() }) }),
    onDone({ url }) {
      leaveForProvider(url, { isLinking: true, to: null });
    },
    // The same again, after the person came back by the button of the browser.
    repeats: true,
  });
  return (
    <ContractForm form={form} submit={t('security:passkeys.next')} onCancel={onClose}>
      <Text size="sm">{t('security:identities.linkText', { title })}</Text>
      <SecretInput
        {...form.field('password')}
        label={t('security:password')}
        autoComplete="current-password"
        data-autofocus
      />
      {needsCode && (
        <CodeInput {...form.field('code')} label={t('security:anyCode')} takesRecovery />
      )}
    </ContractForm>
  );
}
