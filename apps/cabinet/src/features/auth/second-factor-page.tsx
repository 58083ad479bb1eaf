import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { auth } from '@heliograph/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { api } from '../../core/api.ts';
import { localPath } from '../../core/local-path.ts';
import { queryClient } from '../../core/query.ts';
import { session } from '../../core/session/session.ts';
import { settingsQuery } from '../../core/settings.ts';
import { SecondFactorSetupSection } from '../security/setup-section.tsx';
import { AuthFrame } from './auth-frame.tsx';

/** For users whose level requires a second factor: until it is set up, nothing else is available. */
export function SecondFactorPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const goOn = async () => {
    // The settings of before say that it must be set up.
    await queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 });
    await navigate(localPath(params.get('to')), { replace: true });
  };
  const signOut = () => {
    // Called while the token is still there to be named in the call.
    void api(auth.logout).catch(() => undefined);
    session.end('signedOut');
  };
  return (
    <QueryClientProvider client={queryClient}>
      <AuthFrame title={t('security:enableTitle')}>
        <Stack>
          <Alert color="blue">{t('security:requiredText')}</Alert>
          <SecondFactorSetupSection onDone={() => void goOn()} />
          <Text size="sm" ta="center">
            <Anchor component="button" type="button" underline="always" onClick={signOut}>
              {t('security:signOut')}
            </Anchor>
          </Text>
        </Stack>
      </AuthFrame>
    </QueryClientProvider>
  );
}
