import { Button, Stack, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { frontend } from '../../core/frontend.ts';
import { useCountdown } from '../../core/use-countdown.ts';
import { LetterKeyPage } from './letter-key-page.tsx';
import { PasswordStrength } from '../../ui/password-strength.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { focusOnMount } from '../../core/focus.ts';
import { fieldId, useNewPassword } from './use-new-password.ts';

export function NewPasswordPage() {
  const { t } = useTranslation();
  const page = useNewPassword(useParams().key!);
  const { stage } = page;
  return (
    <LetterKeyPage
      title={t('auth:reset.title')}
      page={page}
      invalid={t('auth:reset.invalidText')}
      done={{ title: t('auth:reset.done'), text: t('auth:reset.doneText') }}
    >
      {stage === 'valid' && <Form {...page} />}
      {stage === 'invalid' && (
        <Button component={Link} to="/recover" fullWidth ref={focusOnMount}>
          {t('auth:reset.repeat')}
        </Button>
      )}
      {stage === 'done' && (
        <Button component={Link} to="/login" fullWidth ref={focusOnMount}>
          {t('auth:login.submit')}
        </Button>
      )}
    </LetterKeyPage>
  );
}

function Form(page: ReturnType<typeof useNewPassword>) {
  const { t } = useTranslation();
  const { form, problems, busy, put } = page;
  const wait = useCountdown(page.blockedUntil);
  const secret = (field: 'password' | 'confirm') => {
    const problem = problems[field];
    return {
      id: fieldId(field),
      name: field,
      autoComplete: 'new-password',
      value: form[field],
      error:
        problem &&
        (typeof problem === 'object'
          ? problem.said
          : t(
              problem === 'invalid'
                ? 'auth:registration.invalid.password'
                : `auth:registration.${problem}`,
              { ...frontend.password },
            )),
      onChange: (event: { currentTarget: HTMLInputElement }) =>
        put({ [field]: event.currentTarget.value }),
    };
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && wait === 0) void page.submit();
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        <Text size="sm">{t('auth:reset.for', { username: page.username })}</Text>
        {/* For who keeps passwords: it is told whose the new one is. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={page.username}
          readOnly
          hidden
        />
        <div>
          <SecretInput {...secret('password')} label={t('auth:reset.password')} autoFocus />
          <PasswordStrength password={form.password} />
        </div>
        <SecretInput {...secret('confirm')} label={t('auth:registration.confirm')} />
        <Button type="submit" fullWidth mt="xs" loading={busy} disabled={wait > 0}>
          {wait > 0 ? t('auth:login.wait', { count: wait }) : t('auth:reset.submit')}
        </Button>
      </Stack>
    </form>
  );
}
