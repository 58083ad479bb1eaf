import { passwordError, type PasswordLimits } from '@heliograph/domain';
import type { BrokenRules } from '../../core/forms/field-errors.ts';
import type { FieldTexts } from '../../core/forms/refused-text.tsx';
import type { ContractFormState } from '../../core/forms/use-contract-form.tsx';

/** A new password that is typed twice. */
export interface NewPassword {
  password: string;
  confirm: string;
}

/** The rules that a new password breaks. */
export function passwordRules(
  { password, confirm }: NewPassword,
  limits: PasswordLimits,
): BrokenRules {
  return {
    password: !password ? 'required' : passwordError(password, limits) && 'invalid_format',
    confirm: !confirm ? 'required' : confirm !== password && 'mismatch',
  };
}

export const passwordTexts = (limits: PasswordLimits): FieldTexts => ({
  password: ['auth:registration.invalid.password', { ...limits }],
});

interface PasswordForm extends ContractFormState {
  values: NewPassword;
  set: (changes: NewPassword) => void;
  setErrors: (broken: BrokenRules) => void;
}

/** The form that, submitted with two different passwords, clears both to be typed again. Specification, section 5. */
export function clearMismatch<F extends PasswordForm>(form: F, rules: BrokenRules): F {
  const submit = () => {
    if (form.isPending || rules.confirm !== 'mismatch') return form.submit();
    form.set({ password: '', confirm: '' });
    form.setErrors({ ...rules, password: 'mismatch', confirm: null });
  };
  return { ...form, submit };
}
