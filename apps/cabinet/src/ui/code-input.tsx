import { TextInput, type TextInputProps } from '@mantine/core';
import type { Ref } from 'react';

interface CodeInputProps extends TextInputProps {
  /** A recovery code, which has letters, is accepted as well. */
  takesRecovery?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** A code of an authenticator app. */
export function CodeInput({ takesRecovery, ...props }: CodeInputProps) {
  return (
    <TextInput
      {...props}
      autoComplete="one-time-code"
      inputMode={takesRecovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
    />
  );
}
