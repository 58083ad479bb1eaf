import { Alert, Button, Center, Loader } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { focusOnMount } from '../../core/focus.ts';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame.tsx';
import type { EmailLink } from './use-email-link.ts';

interface EmailLinkPageProps {
  title: string;
  link: EmailLink;
  /** Why a key may be invalid, and what to do. */
  invalid: string;
  done: { title: string; text: string };
  /** What is done with a valid key, and the way on afterwards. */
  children: ReactNode;
}

/** A page that a link of an e-mail opens: the check of its key, with a retry when the check failed, and the outcome. */
export function EmailLinkPage({ title, link, invalid, done, children }: EmailLinkPageProps) {
  const { t } = useTranslation();
  const { stage, error, wait, start } = link;
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
        <Button fullWidth ref={focusOnMount} disabled={wait > 0} onClick={() => void start()}>
          {wait > 0 ? t('common:form.wait', { count: wait }) : t('retry')}
        </Button>
      )}
      {stage === 'invalid' && <FloatingAlert text={t('auth:reset.invalid')} />}
      {children}
    </AuthFrame>
  );
}

const FLOATING_MS = 10_000;

/** A notification outside of the shell, which contains the code for all others. */
function FloatingAlert({ text }: { text: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), FLOATING_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <Alert
      className={classes.floating}
      color="red"
      title={text}
      withCloseButton
      closeButtonLabel={t('close')}
      onClose={() => setShown(false)}
    />
  );
}
