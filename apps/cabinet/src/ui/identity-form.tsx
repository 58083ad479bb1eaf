import { PasswordInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../core/forms/contract-form.tsx';
import { useContractForm } from '../core/forms/use-contract-form.tsx';

/** An e-mail or a phone, with the password of the person who changes it. */
export interface IdentityChange {
  value: string;
  password: string;
}

interface IdentityFormProps {
  field: 'email' | 'phone';
  /** What happens with the new value. */
  hint: string;
  change: { mutateAsync: (change: IdentityChange) => Promise<unknown> };
  onDone?: () => void;
}

const KINDS = {
  email: { type: 'email', autoComplete: 'email', maxLength: 254 },
  phone: { type: 'tel', autoComplete: 'tel', maxLength: 40 },
} as const;

export function IdentityForm({ field, hint, change, onDone }: IdentityFormProps) {
  const { t } = useTranslation();
  const form = useContractForm({
    initial: { value: '', password: '' },
    names: { [`data.${field}`]: 'value' },
    check: ({ value, password }) => ({
      value: !value.trim() && 'required',
      password: !password && 'required',
    }),
    toBody: ({ value, password }) => ({ value: value.trim(), password }),
    submit: change.mutateAsync,
    onDone() {
      form.reset();
      onDone?.();
    },
  });
  return (
    <ContractForm form={form} submit={t(`identity:${field}.submit`)}>
      <TextInput
        {...form.field('value')}
        {...KINDS[field]}
        name={field}
        label={t(`identity:${field}.new`)}
        description={hint}
        data-autofocus
      />
      <PasswordInput
        {...form.field('password')}
        autoComplete="current-password"
        label={t('identity:password')}
        maxLength={150}
        visibilityToggleButtonProps={{
          'aria-label': t('identity:show'),
          tabIndex: 0,
          'aria-hidden': false,
        }}
      />
    </ContractForm>
  );
}
