import { Anchor, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { CodeInput } from '../../ui/code-input.tsx';
import { AuthSubmit } from './auth-submit.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { LoginNotice } from './login-notice.tsx';

interface CodeStepProps {
  /** Signs in with the code. */
  signIn: (code: string) => Promise<void>;
  /** By a passkey instead. */
  onSignedIn: () => Promise<void>;
  onBack: () => void;
}

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function CodeStep({ signIn, onSignedIn, onBack }: CodeStepProps) {
  const { t } = useTranslation();
  const [isRecovery, setRecovery] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const form = useContractForm({
    initial: { code: '' },
    blockedBy: ({ code }) =>
      !code.trim() && t(isRecovery ? 'auth:code.recoveryText' : 'auth:code.text'),
    submit: ({ code }) => signIn(code.trim()),
    repeats: true,
  });
  const { refusal, set } = form;
  const latestSet = useRef(set);
  latestSet.current = set;
  // A refused code is not entered again; the other kind of code has another field.
  useEffect(() => {
    latestSet.current({ code: '' });
    input.current?.focus();
  }, [refusal, isRecovery]);
  return (
    <ContractForm
      form={form}
      guarded={false}
      summary={<LoginNotice refusal={refusal} wait={form.wait} />}
    >
      <Stack>
        <CodeInput
          {...form.field('code')}
          // Browsers offer codes by the kind of the field when it is created.
          key={isRecovery ? 'recovery' : 'app'}
          ref={input}
          label={t(isRecovery ? 'auth:code.recovery' : 'auth:code.app')}
          takesRecovery={isRecovery}
          required
          withAsterisk={false}
        />
        <AuthSubmit form={form} describedBy="code-text">
          {t('auth:login.submit')}
        </AuthSubmit>
        <Text id="code-text" size="xs" c="dimmed" ta="center">
          {t(isRecovery ? 'auth:code.recoveryText' : 'auth:code.text')}
        </Text>
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="start"
          onClick={() => setRecovery(!isRecovery)}
        >
          {t(isRecovery ? 'auth:code.useApp' : 'auth:code.useRecovery')}
        </Anchor>
        <PasskeyButton onSignedIn={onSignedIn} />
        <Anchor component="button" type="button" size="sm" ta="start" onClick={onBack}>
          {t('auth:code.back')}
        </Anchor>
        <Text size="xs" c="dimmed">
          {t('auth:code.lost')}
        </Text>
      </Stack>
    </ContractForm>
  );
}
