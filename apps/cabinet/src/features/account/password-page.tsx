import { PasswordChange } from '@heliograph/contract';
import { passwordError } from '@heliograph/domain';
import { Alert, Paper, Stack, Title, Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { frontend } from '../../core/frontend.ts';
import { useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { IconGenerate } from '../../ui/icons.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { PasswordStrength } from '../../ui/password-strength.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { IdentitiesSection } from '../security/identities-section.tsx';
import { PasskeysSection } from '../security/passkeys-section.tsx';
import { SecondFactorSection } from '../security/second-factor-section.tsx';
import { useChangePassword } from './account.api.ts';
import { generatePassword } from './generate-password.ts';

/** Password and sign-in: what proves who the user is. */
export function PasswordPage() {
  const { t } = useTranslation();
  const { UserId, username, impersonator } = useSettings().session;
  return (
    <>
      <PageHeader title={t('account:password.title')} />
      {impersonator ? (
        <Alert color="blue" role="note" maw={560}>
          {t('account:impersonated.password', { username })}
        </Alert>
      ) : (
        <Stack maw={560} gap="lg">
          <Paper withBorder p="md">
            <Title order={2} size="h4" mb="xs">
              {t('account:password.form')}
            </Title>
            <PasswordForm userId={UserId} username={username} />
          </Paper>
          <PasskeysSection />
          <IdentitiesSection />
          <SecondFactorSection />
        </Stack>
      )}
    </>
  );
}

const EMPTY = { oldPassword: '', newPassword: '', confirm: '' };

/** The own password: the old one as proof, the new one twice. */
function PasswordForm({ userId, username }: { userId: string; username: string }) {
  const { t } = useTranslation();
  const { mutateAsync } = useChangePassword();
  const [isShown, setShown] = useState(false);
  const form = useContractForm({
    initial: EMPTY,
    schema: PasswordChange,
    names: {
      'passwords.oldPassword': 'oldPassword',
      'passwords.newPassword': 'newPassword',
    },
    toBody: ({ oldPassword, newPassword }) => ({
      userId,
      passwords: { oldPassword, newPassword },
    }),
    check: ({ newPassword }) => ({
      newPassword:
        passwordError(newPassword, frontend.password) &&
        t('common:password.hint', { ...frontend.password }),
    }),
    blockedBy: (values) => {
      const reason = blockedBy(values);
      return reason && t(`account:password.blocked.${reason}`);
    },
    submit: mutateAsync,
    onDone() {
      form.reset();
      setShown(false);
      showSuccess(t('account:password.done'));
    },
  });
  const generate = () => {
    const password = generatePassword(frontend.password);
    form.set({ newPassword: password, confirm: password });
    setShown(true);
  };
  const shown = { visible: isShown, onVisibilityChange: setShown };
  const footer = (
    <FormFooter form={form} submit={t('account:password.submit')}>
      <Button
        variant="default"
        leftSection={<IconGenerate size={16} aria-hidden />}
        onClick={generate}
      >
        {t('account:password.generate')}
      </Button>
    </FormFooter>
  );
  return (
    <ContractForm form={form} label={t('account:password.form')} guarded={false} footer={footer}>
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <SecretInput
        {...form.field('oldPassword')}
        label={t('account:password.old')}
        autoComplete="current-password"
        maxLength={150}
      />
      <div>
        <SecretInput
          {...form.field('newPassword')}
          {...shown}
          label={t('account:password.new')}
          autoComplete="new-password"
        />
        <PasswordStrength password={form.values.newPassword} />
      </div>
      <SecretInput
        {...form.field('confirm')}
        {...shown}
        label={t('account:password.confirm')}
        autoComplete="new-password"
      />
    </ContractForm>
  );
}

/** Source: the specification, section 5. */
function blockedBy({ oldPassword, newPassword, confirm }: typeof EMPTY) {
  if (!oldPassword || !newPassword || !confirm) return 'empty';
  if (newPassword === oldPassword) return 'same';
  return newPassword === confirm ? null : 'mismatch';
}
