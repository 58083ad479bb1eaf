import { normalizeEmail } from '@heliograph/domain';
import { Alert, Anchor, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { frontend } from '../../core/frontend.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { PasswordStrength } from '../../ui/password-strength.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { AuthSubmit } from './auth-submit.tsx';
import { USERNAME } from './credentials.ts';
import { clearMismatch, passwordRules, passwordTexts } from './new-password.ts';

/** `/setup`: the first administrator of an installation. */
export function SetupPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { hash, pathname } = useLocation();
  const [code, setCode] = useState(() => hash.slice(1));
  // The code of the link, also of one that is opened later, stays in neither the address nor the history.
  useEffect(() => {
    if (!hash) return;
    setCode(hash.slice(1));
    void navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return (
    <AuthFrame title={t('auth:setup.title', { title: frontend.title })}>
      {frontend.setup ? (
        <SetupForm key={code} code={code} />
      ) : (
        <Stack gap="sm">
          <Alert color="blue">{t('auth:setup.done')}</Alert>
          <Text size="sm" ta="center">
            <Anchor component={Link} underline="always" to="/login">
              {t('auth:login.submit')}
            </Anchor>
          </Text>
        </Stack>
      )}
    </AuthFrame>
  );
}

const load = (waits: boolean) => fetched(() => import('./set-up.ts'), waits);

interface Values {
  code: string;
  username: string;
  password: string;
  confirm: string;
  email: string;
}

const TEXTS = {
  ...passwordTexts(frontend.password),
  'code.code_wrong': 'auth:setup.wrongCode',
  username: 'auth:login.incomplete.username',
  email: 'auth:registration.invalid.email',
};

const check = (values: Values) => {
  const [code, username, email] = [values.code, values.username, values.email].map((text) =>
    text.trim(),
  );
  return {
    code: !code && 'required',
    username: !username ? 'required' : !USERNAME.test(username) && 'invalid_format',
    email: !email ? 'required' : normalizeEmail(email) === null && 'invalid_format',
    ...passwordRules(values, frontend.password),
  };
};

function SetupForm({ code }: { code: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useContractForm({
    initial: { code, username: '', password: '', confirm: '', email: '' },
    texts: TEXTS,
    check,
    checksOnBlur: true,
    async submit({ confirm: _, ...values }) {
      const { setUp } = await load(false);
      await navigate(await setUp({ ...values, username: values.username.trim() }), {
        replace: true,
      });
    },
  });
  const { values, field } = form;
  return (
    <ContractForm form={clearMismatch(form, check(values))} guarded={false}>
      <Stack gap="sm" onInput={() => void load(true)}>
        <Text size="sm">{t('auth:setup.text')}</Text>
        <TextInput
          {...field('code')}
          label={t('auth:setup.code')}
          description={t('auth:setup.codeHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          required
          autoFocus={!code}
        />
        <TextInput
          {...field('username')}
          label={t('auth:registration.username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={150}
          required
          autoFocus={!!code}
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
          {...field('email')}
          label={t('auth:registration.email')}
          description={t('auth:setup.emailHint')}
          type="email"
          autoComplete="email"
          maxLength={254}
          required
        />
        <AuthSubmit form={form}>{t('auth:setup.submit')}</AuthSubmit>
        {frontend.registration && (
          <Text size="xs" c="dimmed">
            {t('auth:setup.registration')}
          </Text>
        )}
      </Stack>
    </ContractForm>
  );
}
