import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { errorText } from '../../core/errors.ts';
import { session } from '../../core/session/session.ts';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { isComplete } from './credentials.ts';
import { useCountdown } from '../../core/use-countdown.ts';
import { useSignIn } from './use-sign-in.ts';

export function LoginPage() {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { busy, error, limit, blockedUntil, prepare, submit } = useSignIn();
  const wait = useCountdown(blockedUntil);
  const blocked = wait > 0;
  const expired = session.get().reason === 'expired' && !error;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && !blocked && isComplete(username, password)) void submit(username, password);
  };

  return (
    <AuthFrame title={t('auth:login.title')}>
      {/* Always there, so that what appears in it is read out. */}
      <div aria-live="assertive" className={classes.notice}>
        {expired && <Alert color="blue">{t('auth:login.expired')}</Alert>}
        {blocked && (
          <Alert color="red">{t('auth:login.blocked', { limit: limit?.limit ?? 5 })}</Alert>
        )}
        {!!error && blockedUntil === 0 && (
          <Alert color="red" title={errorText(t, error)}>
            {limit && limit.remaining < limit.limit
              ? t('auth:login.remaining', { remaining: limit.remaining, limit: limit.limit })
              : null}
          </Alert>
        )}
      </div>
      <form onSubmit={onSubmit} onInput={prepare} noValidate>
        <Stack>
          <TextInput
            label={t('auth:login.username')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={150}
            required
            withAsterisk={false}
            autoFocus
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('auth:login.password')}
            name="password"
            autoComplete="current-password"
            maxLength={18}
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{
              'aria-label': t('auth:login.show'),
              tabIndex: 0,
              'aria-hidden': false,
            }}
          />
          <Button
            type="submit"
            fullWidth
            loading={busy}
            disabled={blocked || !isComplete(username, password)}
          >
            {blocked ? t('auth:login.wait', { count: wait }) : t('auth:login.submit')}
          </Button>
          <Text size="sm" ta="center">
            {t('auth:login.noAccount')}{' '}
            <Anchor component={Link} underline="always" to="/registration">
              {t('auth:login.register')}
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AuthFrame>
  );
}
