import type { SecondFactorSetup } from '@heliograph/contract';
import { Button, Center, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusOnMount } from '../../core/focus.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { CodeInput } from '../../ui/code-input.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useEnable, useSetUp } from './security.api.ts';

/** Sets up the second factor: password, QR code with a first code, recovery codes. */
export function SecondFactorSetupSection({ onDone }: { onDone: () => void }) {
  const [setup, setSetup] = useState<SecondFactorSetup | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (setup) return <FirstCode setup={setup} onDone={setCodes} />;
  return <Password onDone={setSetup} />;
}

function Password({ onDone }: { onDone: (setup: SecondFactorSetup) => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useSetUp();
  const form = useContractForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: !password && 'required' }),
    submit: mutateAsync,
    onDone,
  });
  const footer = <FormFooter form={form} submit={t('security:setup.next')} />;
  return (
    <ContractForm form={form} footer={footer} guarded={false}>
      <Text size="sm">{t('security:setup.text')}</Text>
      <SecretInput
        {...form.field('password')}
        label={t('security:password')}
        autoComplete="current-password"
        data-autofocus
      />
    </ContractForm>
  );
}

interface FirstCodeProps {
  setup: SecondFactorSetup;
  onDone: (codes: string[]) => void;
}

function FirstCode({ setup, onDone }: FirstCodeProps) {
  const { t } = useTranslation();
  const { mutateAsync } = useEnable();
  const form = useContractForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: !code.trim() && 'required' }),
    submit: mutateAsync,
    onDone: ({ codes }) => onDone(codes),
  });
  // In groups of four, as it is typed.
  const key = setup.secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
  const footer = <FormFooter form={form} submit={t('security:enable')} />;
  return (
    <ContractForm form={form} footer={footer} guarded={false}>
      <Text size="sm">{t('security:setup.scan')}</Text>
      <Center>
        <QrCode text={setup.url} label={t('security:setup.qr')} />
      </Center>
      <Stack gap={4}>
        <Text size="sm">{t('security:setup.key')}</Text>
        <Group gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{key}</Code>
          <CopyButton value={setup.secret}>
            {({ copied, copy }) => (
              <Button variant="default" size="xs" onClick={copy}>
                {copied ? t('copied') : t('security:setup.copyKey')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
      <CodeInput {...form.field('code')} label={t('security:code')} ref={focusOnMount} />
    </ContractForm>
  );
}
