import { Alert, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormErrors } from '../core/use-form-errors.ts';
import { useKeepOpen } from '../core/forms/dialog-hold.ts';

/** An e-mail or a phone, with the password of who changes it. */
export interface IdentityChange {
  value: string;
  password: string;
}

interface IdentityFormProps {
  field: 'email' | 'phone';
  /** What happens with the new value. */
  hint: string;
  change: {
    mutate: (change: IdentityChange, options: { onSuccess: () => void }) => void;
    isPending: boolean;
    error: unknown;
  };
  onDone?: () => void;
}

const KINDS = {
  email: { type: 'email', autoComplete: 'email', maxLength: 254 },
  phone: { type: 'tel', autoComplete: 'tel', maxLength: 40 },
} as const;

export function IdentityForm({ field, hint, change, onDone }: IdentityFormProps) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const [value, setValue] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = change;
  useKeepOpen(isPending);
  const path = `data.${field}`;
  const { byField, rest } = error ? split(error, [path, 'password']) : { byField: {}, rest: null };
  const fields: Record<string, string> = byField;
  const isReady = !!value.trim() && !!password;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isPending) return;
    const onSuccess = () => {
      setValue('');
      setPassword('');
      onDone?.();
    };
    mutate({ value: value.trim(), password }, { onSuccess });
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {rest && (
          <Alert color="red" role="alert">
            {rest}
          </Alert>
        )}
        <TextInput
          {...KINDS[field]}
          name={field}
          label={t(`identity:${field}.new`)}
          description={hint}
          data-autofocus
          value={value}
          error={fields[path]}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <PasswordInput
          name="password"
          autoComplete="current-password"
          label={t('identity:password')}
          maxLength={150}
          value={password}
          error={fields.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{
            'aria-label': t('identity:show'),
            tabIndex: 0,
            'aria-hidden': false,
          }}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={!isReady}>
            {t(`identity:${field}.submit`)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
