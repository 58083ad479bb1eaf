import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { errorText } from '../../core/errors.ts';
import { useSession } from '../../core/session/use-session.ts';
import { useCountdown } from '../../core/use-countdown.ts';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { takeFocus } from './take-focus.ts';
import { useConfirmation } from './use-confirmation.ts';

/** It asks before it confirms: programs that look into letters open links as well. */
export function ConfirmPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const page = useConfirmation(params.get('key') ?? '');
  const { stage, error, busy } = page;
  const wait = useCountdown(page.blockedUntil);
  const { token } = useSession();
  return (
    <AuthFrame title={t('auth:confirm.title')}>
      <div aria-live="assertive" className={classes.notice}>
        {!!error && (
          <Alert color="red" title={errorText(t, error)}>
            {null}
          </Alert>
        )}
        {stage === 'invalid' && (
          <Alert color="red" title={t('auth:reset.invalid')}>
            {t('auth:confirm.invalidText')}
          </Alert>
        )}
        {stage === 'done' && (
          <Alert color="green" title={t('auth:confirm.done')}>
            {t('auth:confirm.doneText', { email: page.email, username: page.username })}
          </Alert>
        )}
      </div>
      {stage === 'checking' && !error && (
        <Center py="xl" aria-busy>
          <Loader aria-label={t('auth:reset.checking')} role="status" />
        </Center>
      )}
      {stage === 'checking' && !!error && (
        <Button fullWidth ref={takeFocus} disabled={wait > 0} onClick={() => void page.check()}>
          {wait > 0 ? t('auth:login.wait', { count: wait }) : t('retry')}
        </Button>
      )}
      {stage === 'valid' && (
        <Stack>
          <Text size="sm">
            {t('auth:confirm.text', { email: page.email, username: page.username })}
          </Text>
          <Button
            fullWidth
            ref={takeFocus}
            loading={busy}
            disabled={wait > 0}
            onClick={() => void page.confirm()}
          >
            {wait > 0 ? t('auth:login.wait', { count: wait }) : t('auth:confirm.submit')}
          </Button>
        </Stack>
      )}
      {(stage === 'done' || stage === 'invalid') && (
        <Button component={Link} to={token ? '/' : '/login'} fullWidth ref={takeFocus}>
          {t(token ? 'auth:confirm.home' : 'auth:login.submit')}
        </Button>
      )}
    </AuthFrame>
  );
}
