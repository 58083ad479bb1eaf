import { Alert, Button, Center, Loader } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useCountdown } from '../../core/use-countdown.ts';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { focusOnMount } from '../../core/focus.ts';

/** Of the key of a letter: it is looked at first, then used, once. */
export type KeyStage = 'checking' | 'invalid' | 'valid' | 'done';

interface LetterKeyPageProps {
  title: string;
  page: {
    stage: KeyStage;
    error: unknown;
    blockedUntil: number;
    check: () => Promise<void>;
  };
  /** Why a key may be good no longer, and what to do. */
  invalid: string;
  done: { title: string; text: string };
  /** What is done with a good key, and the way on afterwards. */
  children: ReactNode;
}

/** What becomes of a letter's key is told in one place; the way to try again where nobody could look. */
export function LetterKeyPage({ title, page, invalid, done, children }: LetterKeyPageProps) {
  const { t } = useTranslation();
  const { stage, error, check } = page;
  const wait = useCountdown(page.blockedUntil);
  return (
    <AuthFrame title={title}>
      <div aria-live="assertive" className={classes.notice}>
        {!!error && (
          <Alert color="red" title={errorText(t, error)}>
            {null}
          </Alert>
        )}
        {stage === 'invalid' && (
          <Alert color="red" title={t('auth:reset.invalid')}>
            {invalid}
          </Alert>
        )}
        {stage === 'done' && (
          <Alert color="green" title={done.title}>
            {done.text}
          </Alert>
        )}
      </div>
      {stage === 'checking' && !error && (
        <Center py="xl" aria-busy>
          <Loader aria-label={t('auth:reset.checking')} role="status" />
        </Center>
      )}
      {stage === 'checking' && !!error && (
        <Button fullWidth ref={focusOnMount} disabled={wait > 0} onClick={() => void check()}>
          {wait > 0 ? t('auth:login.wait', { count: wait }) : t('retry')}
        </Button>
      )}
      {stage === 'invalid' && <Raised text={t('auth:reset.invalid')} />}
      {children}
    </AuthFrame>
  );
}

const RAISED_MS = 10_000;

/** A notification outside of the shell, which has the place and the code for all others. */
function Raised({ text }: { text: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), RAISED_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <Alert
      className={classes.raised}
      color="red"
      title={text}
      withCloseButton
      closeButtonLabel={t('close')}
      onClose={() => setShown(false)}
    />
  );
}
