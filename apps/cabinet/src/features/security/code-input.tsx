import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { useContractForm } from '../../core/forms/use-contract-form.tsx';

interface CodeInputProps {
  field: ReturnType<ReturnType<typeof useContractForm>['field']>;
  /** A recovery code is accepted as well. */
  takesRecovery?: boolean;
}

/** A code of the authenticator app. */
export function CodeInput({ field, takesRecovery }: CodeInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      {...field}
      label={t(takesRecovery ? 'security:anyCode' : 'security:code')}
      autoComplete="one-time-code"
      inputMode={takesRecovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
    />
  );
}
