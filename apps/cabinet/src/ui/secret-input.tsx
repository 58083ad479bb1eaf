import { MAX_PASSWORD_LENGTH } from '@heliograph/domain';
import { PasswordInput, Text, type PasswordInputProps } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';

/** A password field that can show its text and warns of Caps Lock. */
export function SecretInput(props: PasswordInputProps) {
  const { t } = useTranslation();
  const [isCapsLockOn, setCapsLockOn] = useState(false);
  const readCapsLock = (event: KeyboardEvent) => setCapsLockOn(event.getModifierState('CapsLock'));
  return (
    <div>
      <PasswordInput
        maxLength={MAX_PASSWORD_LENGTH}
        required
        {...props}
        onKeyDown={readCapsLock}
        onKeyUp={readCapsLock}
        visibilityToggleButtonProps={{
          'aria-label': t('common:password.show'),
          tabIndex: 0,
          'aria-hidden': false,
        }}
      />
      <Text size="xs" c="dimmed" aria-live="polite">
        {isCapsLockOn && t('common:password.capsLock')}
      </Text>
    </div>
  );
}
