import { ApiError } from '@heliograph/contract';
import { Button, Stack, Text } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { focusOnMount } from '../../core/focus.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { frontend } from '../../core/frontend.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { PasswordStrength } from '../../ui/password-strength.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { AuthSubmit } from './auth-submit.tsx';
import { EmailLinkPage } from './email-link-page.tsx';
import { clearMismatch, passwordTexts, passwordRules } from './new-password.ts';
import { useEmailLink, type KeyStage } from './use-email-link.ts';

const load = (waits: boolean) => fetched(() => import('./recover.ts'), waits);

export function NewPasswordPage() {
  const { t } = useTranslation();
  const key = useParams().key!;
  const link = useEmailLink(
    useCallback(async () => (await load(true)).checkRecoveryKey(key), [key]),
  );
  const { stage } = link;
  const isInvitation = link.found?.isInvitation === true;
  return (
    <EmailLinkPage
      title={t(isInvitation ? 'auth:reset.welcome' : 'auth:reset.title')}
      link={link}
      invalid={t('auth:reset.invalidText')}
      done={{
        title: t('auth:reset.done'),
        text: t(isInvitation ? 'auth:reset.welcomeDone' : 'auth:reset.doneText'),
      }}
    >
      {stage === 'valid' && (
        <Form urlKey={key} username={link.found?.username ?? ''} onStage={link.setStage} />
      )}
      {stage === 'invalid' && (
        <Button component={Link} to="/recover" fullWidth ref={focusOnMount}>
          {t('auth:reset.repeat')}
        </Button>
      )}
      {stage === 'done' && (
        <Button component={Link} to="/login" fullWidth ref={focusOnMount}>
          {t('auth:login.submit')}
        </Button>
      )}
    </EmailLinkPage>
  );
}

interface FormProps {
  urlKey: string;
  username: string;
  onStage: (stage: KeyStage) => void;
}

function Form({ urlKey, username, onStage }: FormProps) {
  const { t } = useTranslation();
  const form = useContractForm({
    initial: { password: '', confirm: '' },
    check: (values) => passwordRules(values, frontend.password),
    texts: passwordTexts(frontend.password),
    async submit({ password }) {
      const { resetPassword } = await load(false);
      await resetPassword(urlKey, password).catch((error: unknown) => {
        // The key was used or replaced by a newer one since the page was opened.
        if (error instanceof ApiError && error.status === 404) onStage('invalid');
        throw error;
      });
    },
    onDone: () => onStage('done'),
  });
  return (
    <ContractForm
      form={clearMismatch(form, passwordRules(form.values, frontend.password))}
      guarded={false}
    >
      <Text size="sm">{t('auth:reset.for', { username })}</Text>
      {/* Tells password managers which account the password is for. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Stack gap="sm">
        <div>
          <SecretInput
            {...form.field('password')}
            label={t('auth:reset.password')}
            autoComplete="new-password"
            autoFocus
          />
          <PasswordStrength password={form.values.password} />
        </div>
        <SecretInput
          {...form.field('confirm')}
          label={t('auth:registration.confirm')}
          autoComplete="new-password"
        />
        <AuthSubmit form={form}>{t('auth:reset.submit')}</AuthSubmit>
      </Stack>
    </ContractForm>
  );
}
