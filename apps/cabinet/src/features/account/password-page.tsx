import { Alert, Paper, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../core/settings.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SecondFactorSection } from '../security/second-factor-section.tsx';
import { PasswordForm } from './password-form.tsx';

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
          <SecondFactorSection />
        </Stack>
      )}
    </>
  );
}
