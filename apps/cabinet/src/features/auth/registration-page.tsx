import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { frontend } from '../../core/frontend.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { Documents, hasDocuments } from '../../ui/documents.tsx';
import { PasswordStrength } from '../../ui/password-strength.tsx';
import { PhoneField } from '../../ui/phone-field.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { AuthSubmit } from './auth-submit.tsx';
import classes from './auth.module.css';
import { readDraft, saveDraft } from './draft.ts';
import { clearMismatch, passwordTexts } from './new-password.ts';
import { NAMES, registrationRules, withEmail, type RegistrationValues } from './registration.ts';

export function RegistrationPage() {
  const { t } = useTranslation();
  return (
    <AuthFrame title={t('auth:registration.title')} other="login">
      {frontend.registration ? (
        <RegistrationForm />
      ) : (
        <Alert color="blue">{t('auth:registration.closed')}</Alert>
      )}
    </AuthFrame>
  );
}

const load = (waits: boolean) =>
  fetched(() => Promise.all([import('./register.ts'), import('../../core/parse-phone.ts')]), waits);

const TEXTS = {
  ...passwordTexts(frontend.password),
  username: 'auth:registration.invalid.username',
  'username.unique': 'auth:registration.taken',
  firstName: 'auth:registration.invalid.name',
  lastName: 'auth:registration.invalid.name',
  email: 'auth:registration.invalid.email',
  phone: 'common:phone.invalid',
};

/** The rules of the form; the numbering plans, which are loaded later, are asked when all others are met. */
function check(values: RegistrationValues) {
  const broken = registrationRules(values, frontend.password);
  return Object.values(broken).some(Boolean) ? broken : checkPhone(values);
}

async function checkPhone({ phone, country }: RegistrationValues) {
  const [, { parsePhone }] = await load(false);
  return { phone: !parsePhone(phone, country) && 'invalid_format' };
}

function RegistrationForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [draft] = useState(() => readDraft(params));
  const [isSolving, setSolving] = useState(false);
  const copiedEmail = useRef(draft.values.username.trim());
  const form = useContractForm({
    initial: draft.values,
    names: NAMES,
    texts: TEXTS,
    check,
    checksOnBlur: true,
    async submit(values) {
      const [{ register }, { parsePhone }] = await load(false);
      const parsed = { ...values, ...parsePhone(values.phone, values.country) };
      try {
        const path = await register(parsed, draft.meta, () => setSolving(true));
        await navigate(path, { replace: true });
      } finally {
        setSolving(false);
      }
    },
  });
  const { values, field } = form;
  useEffect(() => saveDraft(values, draft.meta), [values, draft]);

  const changeUsername = ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
    const next = withEmail(values, { username: value }, copiedEmail.current);
    copiedEmail.current = next.copied;
    const { username, email } = next.values;
    form.set({ username, ...(email !== values.email && { email }) });
  };

  return (
    <ContractForm
      form={clearMismatch(form, registrationRules(values, frontend.password))}
      guarded={false}
    >
      <div aria-live="polite" className={classes.notice}>
        {isSolving && <Alert color="blue">{t('auth:captcha')}</Alert>}
      </div>
      <Stack gap="sm" onInput={() => void load(true)}>
        <TextInput
          {...field('username')}
          label={t('auth:registration.username')}
          description={t('auth:registration.usernameHint')}
          onChange={changeUsername}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={150}
          required
          autoFocus
        />
        <div>
          <SecretInput
            {...field('password')}
            label={t('auth:registration.password')}
            autoComplete="new-password"
          />
          <PasswordStrength password={values.password} />
        </div>
        <SecretInput
          {...field('confirm')}
          label={t('auth:registration.confirm')}
          autoComplete="new-password"
        />
        <TextInput
          {...field('firstName')}
          label={t('auth:registration.firstName')}
          autoComplete="given-name"
          maxLength={60}
          required
        />
        <TextInput
          {...field('lastName')}
          label={t('auth:registration.lastName')}
          autoComplete="family-name"
          maxLength={60}
        />
        <TextInput
          {...field('email')}
          label={t('auth:registration.email')}
          type="email"
          autoComplete="email"
          maxLength={254}
          required
        />
        <PhoneField
          {...field('phone')}
          country={values.country}
          phone={values.phone}
          onChange={form.set}
        />
        <AuthSubmit form={form}>{t('auth:registration.submit')}</AuthSubmit>
        {hasDocuments && (
          <Text size="xs" c="dimmed" ta="center" lh="24px" className={classes.documents}>
            {t('auth:registration.accepts')} <Documents />
          </Text>
        )}
      </Stack>
    </ContractForm>
  );
}
