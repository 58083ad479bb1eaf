import { Button, Group, Text } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SubmitButton } from './submit-button.tsx';
import type { ContractFormState } from './use-contract-form.tsx';

interface FormFooterProps {
  form: ContractFormState;
  /** What Save is called here. */
  submit: ReactNode;
  /** The element that shows already why Save cannot be used. */
  reasonId?: string;
  cancel?: string;
  onCancel?: () => void;
  /** Further buttons, at the other end. */
  children?: ReactNode;
}

/** Cancel and Save, and beside them why Save cannot be used now. */
export function FormFooter(props: FormFooterProps) {
  const { form, submit, reasonId, cancel, onCancel, children } = props;
  const { t } = useTranslation();
  const id = useId();
  return (
    <Group justify="flex-end" mt="md" data-form-footer>
      {children && <Group mr="auto">{children}</Group>}
      {form.blocked && !reasonId && (
        <Text id={id} size="xs" c="dimmed">
          {form.blocked}
        </Text>
      )}
      {onCancel && (
        <Button variant="default" onClick={onCancel} disabled={form.isPending}>
          {cancel ?? t('common:cancel')}
        </Button>
      )}
      <SubmitButton form={form} describedBy={form.blocked ? (reasonId ?? id) : undefined}>
        {submit}
      </SubmitButton>
    </Group>
  );
}
