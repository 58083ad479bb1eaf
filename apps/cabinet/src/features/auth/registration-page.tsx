import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { errorText, fieldErrors } from '../../core/errors.ts';
import { frontend } from '../../core/frontend.ts';
import { useCountdown } from '../../core/use-countdown.ts';
import { Documents, hasDocuments } from '../../ui/documents.tsx';
import classes from './auth.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { PasswordStrength } from '../../ui/password-strength.tsx';
import { PhoneField } from '../../ui/phone-field.tsx';
import { fieldOf, type RegistrationField } from './registration.ts';
import { SecretInput } from '../../ui/secret-input.tsx';
import { fieldId, useRegistration } from './use-registration.ts';

export function RegistrationPage() {
  return frontend.registration ? <OpenPage /> : <ClosedPage />;
}

function ClosedPage() {
  const { t } = useTranslation();
  return (
    <AuthFrame title={t('auth:registration.title')}>
      <Stack>
        <Alert color="blue">{t('auth:registration.closed')}</Alert>
        <ToSignIn />
      </Stack>
    </AuthFrame>
  );
}

function ToSignIn() {
  const { t } = useTranslation();
  return (
    <Text size="sm" ta="center">
      {t('auth:registration.haveAccount')}{' '}
      <Anchor component={Link} underline="always" to="/login">
        {t('auth:login.submit')}
      </Anchor>
    </Text>
  );
}

function OpenPage() {
  const { t } = useTranslation();
  const page = useRegistration();
  const { form, problems, error, busy, isSolving, put, judge } = page;
  const wait = useCountdown(page.blockedUntil);
  const unmarked = fieldErrors(error).filter(({ path }) => !fieldOf(path));

  const text = (field: Exclude<RegistrationField, 'confirm' | 'password' | 'phone'>) => ({
    ...common(field),
    value: form[field],
    label: t(`auth:registration.${field}`),
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      put({ [field]: event.currentTarget.value }),
  });
  const common = (field: RegistrationField) => ({
    id: fieldId(field),
    name: field,
    error: problemText(field),
    onBlur: () => judge(field),
  });
  const problemText = (field: RegistrationField) => {
    const problem = problems[field];
    if (!problem) return undefined;
    if (typeof problem === 'object') return problem.said;
    return problem === 'invalid'
      ? t(`auth:registration.invalid.${field}`, { ...frontend.password })
      : t(`auth:registration.${problem}`);
  };
  const secret = (field: 'password' | 'confirm') => ({
    ...common(field),
    value: form[field],
    label: t(`auth:registration.${field}`),
    autoComplete: 'new-password',
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      put({ [field]: event.currentTarget.value }),
  });

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && wait === 0) void page.submit();
  };

  return (
    <AuthFrame title={t('auth:registration.title')}>
      <div aria-live="assertive" className={classes.notice}>
        {!!error && (
          <Alert color="red" title={errorText(t, error, unmarked)}>
            {null}
          </Alert>
        )}
        {isSolving && <Alert color="blue">{t('auth:captcha')}</Alert>}
      </div>
      <form onSubmit={onSubmit} onInput={page.prepare} noValidate>
        <Stack gap="sm">
          <TextInput
            {...text('username')}
            description={t('auth:registration.usernameHint')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={150}
            required
            autoFocus
          />
          <div>
            <SecretInput {...secret('password')} maxLength={frontend.password.max} />
            <PasswordStrength password={form.password} />
          </div>
          <SecretInput {...secret('confirm')} maxLength={frontend.password.max} />
          <TextInput {...text('firstName')} autoComplete="given-name" maxLength={60} required />
          <TextInput {...text('lastName')} autoComplete="family-name" maxLength={60} />
          <TextInput
            {...text('email')}
            type="email"
            autoComplete="email"
            maxLength={254}
            required
          />
          <PhoneField
            id={fieldId('phone')}
            country={form.country}
            phone={form.phone}
            error={problemText('phone')}
            onChange={put}
            onBlur={() => judge('phone')}
            onInvalid={page.refusePhone}
          />
          <Button type="submit" fullWidth mt="xs" loading={busy} disabled={wait > 0}>
            {wait > 0 ? t('auth:login.wait', { count: wait }) : t('auth:registration.submit')}
          </Button>
          {hasDocuments && (
            <Text size="xs" c="dimmed" ta="center" lh="24px" className={classes.papers}>
              {t('auth:registration.accepts')} <Documents />
            </Text>
          )}
          <ToSignIn />
        </Stack>
      </form>
    </AuthFrame>
  );
}
