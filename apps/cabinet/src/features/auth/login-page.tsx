import { ApiError, type OfferedProvider } from '@heliograph/contract';
import { Alert, Anchor, Stack, Text, TextInput } from '@mantine/core';
import { PASSWORD_LIMITS } from '@heliograph/domain';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { frontend } from '../../core/frontend.ts';
import { localPath } from '../../core/local-path.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { useStored } from '../../core/browser-storage.ts';
import { later } from '../../ui/later.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { AuthSubmit } from './auth-submit.tsx';
import type { CodeStep as CodeStepType } from './code-step.tsx';
import { incompleteReason, LAST_USERNAME } from './credentials.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { LoginNotice } from './login-notice.tsx';

/** Where there are some. */
const ProviderButtons = later(async () => (await import('./provider-buttons.tsx')).ProviderButtons);
const load = () => fetched(() => import('./sign-in.ts'), false);
/** Loads what the call needs while the visitor types. */
const preload = () => void load().catch(() => undefined);

/** Through which the user signs in instead. */
const requiredProvider = (error: unknown): OfferedProvider | null =>
  error instanceof ApiError && error.code === 'identity_required'
    ? (error.body.payload?.provider as OfferedProvider)
    : null;

export function LoginPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [lastUsername, setLastUsername] = useStored(LAST_USERNAME);
  const [isKnown] = useState(!!lastUsername);
  /** Loaded when the account turns out to have a second factor. */
  const [CodeStep, setCodeStep] = useState<typeof CodeStepType | null>(null);
  const [required, setRequired] = useState<OfferedProvider | null>(null);
  const usernameInput = useRef<HTMLInputElement>(null);
  const incompleteText = (values: { username: string; password: string }) => {
    const reason = incompleteReason(values.username, values.password);
    return reason && t(`auth:login.incomplete.${reason}`, { min: PASSWORD_LIMITS.min });
  };
  const form = useContractForm({
    initial: { username: lastUsername ?? '', password: '' },
    blockedBy: incompleteText,
    async submit() {
      await signIn().catch(async (error: unknown) => {
        setRequired(requiredProvider(error));
        if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error;
        const { CodeStep } = await fetched(() => import('./code-step.tsx'), false);
        setCodeStep(() => CodeStep);
      });
    },
    // The same password again, after the step of the code was left.
    repeats: true,
  });
  const signIn = async (code?: string): Promise<void> => {
    const { username, password } = form.values;
    const calls = await load();
    await calls.signIn({ username: username.trim(), password, code });
    await goOn();
  };
  const goOn = () => Promise.resolve(navigate(localPath(params.get('to')), { replace: true }));
  const forget = () => {
    setLastUsername(null);
    form.set({ username: '' });
    usernameInput.current?.focus();
  };

  if (CodeStep)
    return (
      <AuthFrame title={t('auth:code.title')}>
        <CodeStep signIn={signIn} onSignedIn={goOn} onBack={() => setCodeStep(null)} />
      </AuthFrame>
    );
  return (
    <AuthFrame title={t('auth:login.title')} other="registration">
      {frontend.setup && (
        <Alert color="blue" mb="md" title={t('auth:setup.new')}>
          <Anchor component={Link} underline="always" size="sm" to="/setup">
            {t('auth:setup.title', { title: frontend.title })}
          </Anchor>
        </Alert>
      )}
      <ContractForm
        form={form}
        guarded={false}
        summary={<LoginNotice refusal={form.refusal} wait={form.wait} />}
      >
        <Stack onInput={preload}>
          <TextInput
            {...form.field('username')}
            ref={usernameInput}
            label={t('auth:login.username')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={150}
            required
            withAsterisk={false}
            autoFocus={!isKnown}
          />
          {isKnown && lastUsername && (
            <Anchor component="button" type="button" size="sm" ta="start" onClick={forget}>
              {t('auth:login.forget')}
            </Anchor>
          )}
          <SecretInput
            {...form.field('password')}
            label={t('auth:login.password')}
            autoComplete="current-password"
            withAsterisk={false}
            autoFocus={isKnown}
          />
          {frontend.recovery && (
            <Anchor component={Link} underline="always" size="sm" to="/recover">
              {t('auth:login.forgot')}
            </Anchor>
          )}
          <AuthSubmit form={form} describedBy="login-incomplete">
            {t('auth:login.submit')}
          </AuthSubmit>
          {/* Has its height also without a text, so that what is below does not move. */}
          <Text id="login-incomplete" size="xs" c="dimmed" ta="center" role="status" mih={36}>
            {incompleteText(form.values)}
          </Text>
          <PasskeyButton
            onSignedIn={goOn}
            onRefused={(error) => setRequired(requiredProvider(error))}
          />
          {!frontend.home && (frontend.identityProviders || required) && (
            <ProviderButtons to={params.get('to')} required={required} />
          )}
          {frontend.home && (
            <Text size="sm" ta="center">
              {t('auth:login.elsewhere')}{' '}
              <Anchor underline="always" href={`${frontend.home}/login`}>
                {new URL(frontend.home).host}
              </Anchor>
            </Text>
          )}
        </Stack>
      </ContractForm>
    </AuthFrame>
  );
}
