import { Button, Loader, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ContractFormState } from './use-contract-form.tsx';

interface SubmitButtonProps extends ButtonProps {
  form: ContractFormState;
  describedBy?: string;
  /** Absent: it submits the form. */
  onClick?: () => void;
  children: ReactNode;
  'aria-keyshortcuts'?: string;
}

/** It keeps the focus while it cannot be used: `disabled` would throw the focus out of the form. */
export function SubmitButton({ form, describedBy, onClick, ...props }: SubmitButtonProps) {
  const { isPending, blocked } = form;
  return (
    <Button
      leftSection={isPending ? <Loader size={16} color="currentColor" aria-hidden /> : undefined}
      {...props}
      type={onClick ? 'button' : 'submit'}
      onClick={onClick}
      aria-disabled={isPending || !!blocked || undefined}
      aria-describedby={describedBy}
      data-disabled={blocked ? true : undefined}
      data-pending={isPending || undefined}
    />
  );
}
