import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { errorText, retryAt } from '../../core/errors.ts';
import { frontend } from '../../core/frontend.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { stored } from '../../core/stored.ts';
import { useCountdown } from '../../core/use-countdown.ts';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { LAST_USERNAME } from './credentials.ts';
import { focusOnMount } from '../../core/focus.ts';

/** After an error the button rests for so long. */
const REST_MS = 3000;
const load = () => fetched(() => import('./recover.ts'), false);

export function RecoverPage() {
  const { t } = useTranslation();
  const [login, setLogin] = useState(stored.get(LAST_USERNAME) ?? '');
  const { minutes, error, busy, isSolving, blockedUntil, ask, askAgain } = useAsk();
  const wait = useCountdown(blockedUntil);
  const isReady = !!login.trim() && !busy && wait === 0;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void ask(login.trim());
  };

  return (
    <AuthFrame title={t('auth:recover.title')}>
      <div aria-live="assertive" className={classes.notice}>
        {!!error && (
          <Alert color="red" title={errorText(t, error)}>
            {null}
          </Alert>
        )}
        {isSolving && <Alert color="blue">{t('auth:captcha')}</Alert>}
        {minutes !== null && (
          <Alert color="green" title={t('auth:recover.sent')}>
            {t('auth:recover.works', { count: minutes })}
          </Alert>
        )}
        {!frontend.recovery && <Alert color="blue">{t('auth:recover.off')}</Alert>}
      </div>
      <Stack>
        {frontend.recovery && minutes === null && (
          <form onSubmit={onSubmit} onInput={() => void load().catch(() => undefined)} noValidate>
            <Stack>
              <TextInput
                label={t('auth:recover.login')}
                description={t('auth:recover.hint')}
                name="login"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={254}
                required
                withAsterisk={false}
                autoFocus
                value={login}
                onChange={(event) => setLogin(event.currentTarget.value)}
              />
              <Button type="submit" fullWidth loading={busy} disabled={!login.trim() || wait > 0}>
                {wait > 0 ? t('auth:login.wait', { count: wait }) : t('auth:recover.submit')}
              </Button>
            </Stack>
          </form>
        )}
        {minutes !== null && (
          <Button variant="default" fullWidth ref={focusOnMount} onClick={askAgain}>
            {t('auth:recover.again')}
          </Button>
        )}
        <Text size="sm" ta="center">
          <Anchor component={Link} underline="always" to="/login">
            {t('auth:recover.back')}
          </Anchor>
        </Text>
      </Stack>
    </AuthFrame>
  );
}

/** The letter that is asked for: minutes that its link works when it was, null before. */
function useAsk() {
  const { i18n } = useTranslation();
  const [minutes, setMinutes] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [isSolving, setSolving] = useState(false);
  const [blockedUntil, setBlockedUntil] = useState(0);

  const ask = async (login: string): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { askForLetter } = await load();
      setMinutes(await askForLetter(login, i18n.language, () => setSolving(true)));
    } catch (caught) {
      const now = Date.now();
      setError(caught);
      setBlockedUntil(Math.max(retryAt(caught, now), now + REST_MS));
    } finally {
      setSolving(false);
      setBusy(false);
    }
  };
  const state = { minutes, error, busy, isSolving, blockedUntil };
  return { ...state, ask, askAgain: () => setMinutes(null) };
}
