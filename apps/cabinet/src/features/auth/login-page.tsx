import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { PASSWORD_LIMITS } from '@heliograph/domain';
import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { errorText } from '../../core/errors.ts';
import { frontend } from '../../core/frontend.ts';
import { session } from '../../core/session/session.ts';
import { useStored } from '../../core/stored.ts';
import { useCountdown } from '../../core/use-countdown.ts';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { LAST_USERNAME, missingOf } from './credentials.ts';
import { SecretInput } from '../../ui/secret-input.tsx';
import { useSignIn } from './use-sign-in.ts';

export function LoginPage() {
  const { t } = useTranslation();
  const [known, setKnown] = useStored(LAST_USERNAME);
  const [isKnown] = useState(!!known);
  const [username, setUsername] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const { busy, error, limit, blockedUntil, prepare, submit } = useSignIn();
  const wait = useCountdown(blockedUntil);
  const blocked = wait > 0;
  const missing = missingOf(username, password);
  const expired = session.get().reason === 'expired' && !error;

  const login = useRef<HTMLInputElement>(null);
  const forget = () => {
    setKnown(null);
    setUsername('');
    login.current?.focus();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && !blocked && !missing) void submit(username, password);
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
            ref={login}
            label={t('auth:login.username')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={150}
            required
            withAsterisk={false}
            autoFocus={!isKnown}
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          {isKnown && known && (
            <Anchor component="button" type="button" size="sm" ta="start" onClick={forget}>
              {t('auth:login.forget')}
            </Anchor>
          )}
          <SecretInput
            label={t('auth:login.password')}
            name="password"
            autoComplete="current-password"
            withAsterisk={false}
            autoFocus={isKnown}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {frontend.recovery && (
            <Anchor component={Link} underline="always" size="sm" to="/recover">
              {t('auth:login.forgot')}
            </Anchor>
          )}
          <Button
            type="submit"
            fullWidth
            loading={busy}
            disabled={blocked || !!missing}
            aria-describedby="login-missing"
          >
            {blocked ? t('auth:login.wait', { count: wait }) : t('auth:login.submit')}
          </Button>
          {/* As high when it says nothing: what is below stays where it is. */}
          <Text id="login-missing" size="xs" c="dimmed" ta="center" role="status" mih={36}>
            {missing && t(`auth:login.incomplete.${missing}`, { min: PASSWORD_LIMITS.min })}
          </Text>
          {frontend.registration && (
            <Text size="sm" ta="center">
              {t('auth:login.noAccount')}{' '}
              <Anchor component={Link} underline="always" to="/registration">
                {t('auth:login.register')}
              </Anchor>
            </Text>
          )}
        </Stack>
      </form>
    </AuthFrame>
  );
}
