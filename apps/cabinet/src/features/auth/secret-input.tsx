import { MAX_PASSWORD_LENGTH } from '@heliograph/domain';
import { PasswordInput, Text, type PasswordInputProps } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

/** A password: it can be shown, and Caps Lock is told of. */
export function SecretInput(props: PasswordInputProps) {
  const { t } = useTranslation();
  const [isCaps, setCaps] = useState(false);
  const look = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'));
  return (
    <div>
      <PasswordInput
        maxLength={MAX_PASSWORD_LENGTH}
        {...props}
        required
        onKeyDown={look}
        onKeyUp={look}
        visibilityToggleButtonProps={{
          'aria-label': t('auth:login.show'),
          tabIndex: 0,
          'aria-hidden': false,
        }}
      />
      <Text size="xs" c="dimmed" aria-live="polite">
        {isCaps && t('auth:capsLock')}
      </Text>
    </div>
  );
}
