import { useTranslation } from 'react-i18next';
import { SubmitButton } from '../../core/forms/submit-button.tsx';
import type { ContractFormState } from '../../core/forms/use-contract-form.tsx';

interface AuthSubmitProps {
  form: ContractFormState;
  describedBy?: string;
  children: string;
}

/** The wide button of the sign-in pages; after a refusal by rate it counts the seconds down. */
export function AuthSubmit({ form, describedBy, children }: AuthSubmitProps) {
  const { t } = useTranslation();
  return (
    <SubmitButton form={form} describedBy={describedBy} fullWidth>
      {form.wait > 0 ? t('common:form.wait', { count: form.wait }) : children}
    </SubmitButton>
  );
}
