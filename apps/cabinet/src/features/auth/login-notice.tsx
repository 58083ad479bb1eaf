import { ApiError } from '@heliograph/contract';
import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, rateLimitOf } from '../../core/errors.ts';
import type { FormRefusal } from '../../core/forms/use-contract-form.tsx';
import { session } from '../../core/session/session.ts';
import classes from './auth.module.css';

/** Specification, section 8: the limit where a refusal does not name it. */
const DEFAULT_LIMIT = 5;

interface LoginNoticeProps {
  refusal: FormRefusal | null;
  /** Seconds until the next attempt. */
  wait: number;
}

/** Why the visitor is not signed in, and how many attempts are left. */
export function LoginNotice({ refusal, wait }: LoginNoticeProps) {
  const { t } = useTranslation();
  const error = refusal?.error;
  const limit = error instanceof ApiError ? rateLimitOf(error.headers) : null;
  const isRateLimited = error instanceof ApiError && error.status === 429;
  return (
    // Always present, so that screen readers announce what appears in it.
    <div aria-live="assertive" className={classes.notice}>
      {!error && session.get().reason === 'expired' && (
        <Alert color="blue">{t('auth:login.expired')}</Alert>
      )}
      {isRateLimited && wait > 0 && (
        <Alert
          color="red"
          title={t('auth:login.blocked', { limit: limit?.limit ?? DEFAULT_LIMIT })}
        >
          <SecondsLeft wait={wait} />
        </Alert>
      )}
      {!!error && !isRateLimited && (
        <Alert color="red" title={errorText(t, error)}>
          {limit && limit.remaining < limit.limit
            ? t('auth:login.remaining', { remaining: limit.remaining, limit: limit.limit })
            : null}
        </Alert>
      )}
    </div>
  );
}

/** Counts down for the eye; a screen reader says once how long it takes. */
function SecondsLeft({ wait }: { wait: number }) {
  const { t } = useTranslation();
  const [first] = useState(wait);
  return (
    <>
      <span className="visually-hidden">{t('common:form.wait', { count: first })}</span>
      <span aria-hidden>{t('common:form.wait', { count: wait })}</span>
    </>
  );
}
