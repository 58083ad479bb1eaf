import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { frontend } from '../../core/frontend.ts';
import { AuthFrame } from './auth-frame.tsx';
import { RegistrationForm } from './registration-form.tsx';

export function RegistrationPage() {
  const { t } = useTranslation();
  return (
    <AuthFrame title={t('auth:registration.title')}>
      <Stack gap="sm">
        {frontend.registration ? (
          <RegistrationForm />
        ) : (
          <Alert color="blue">{t('auth:registration.closed')}</Alert>
        )}
        <Text size="sm" ta="center">
          {t('auth:registration.haveAccount')}{' '}
          <Anchor component={Link} underline="always" to="/login">
            {t('auth:login.submit')}
          </Anchor>
        </Text>
      </Stack>
    </AuthFrame>
  );
}
