import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCloseByButton } from '../core/forms/dialog-hold.ts';
import { CopyButton } from './copy-button.tsx';
import { IconAlertTriangle, IconCheck, IconCopy, IconEye, IconEyeOff } from './icons.ts';

interface SecretOnceProps {
  value: string;
  label: string;
  /** What is lost if it is not stored now. */
  warning: string;
  /** So many characters are shown although the secret is hidden. */
  shown?: number;
}

const MASK = '•'.repeat(24);

/** A secret that is shown this one time: hidden until asked for, with a button that copies it. */
export function SecretOnce({ value, label, warning, shown = 0 }: SecretOnceProps) {
  const { t } = useTranslation();
  useCloseByButton();
  const [isVisible, setVisible] = useState(false);
  const ToggleIcon = isVisible ? IconEyeOff : IconEye;
  return (
    <Stack gap="sm">
      <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
        {warning}
      </Alert>
      <TextInput
        label={label}
        readOnly
        // While it is hidden, it is not in the page at all.
        value={isVisible ? value : value.slice(0, shown) + MASK}
        onFocus={(event) => isVisible && event.currentTarget.select()}
        spellCheck={false}
        autoComplete="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group gap="xs">
        <CopyButton value={value} notice={t('common:copiedText', { text: label })}>
          {({ copied, copy }) => (
            <Button
              data-autofocus
              onClick={copy}
              leftSection={
                copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
              }
            >
              {t(copied ? 'copied' : 'common:secret.copy')}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          onClick={() => setVisible(!isVisible)}
          leftSection={<ToggleIcon size={16} aria-hidden />}
        >
          {t(isVisible ? 'common:secret.hide' : 'common:secret.show')}
        </Button>
      </Group>
    </Stack>
  );
}
