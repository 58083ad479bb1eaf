import { useTranslation } from 'react-i18next';
import type { BoundField } from '../../core/forms/form-state.ts';
import { PhoneInput } from '../../ui/phone-input.tsx';
import { COUNTRY } from './use-requisite-form.ts';

interface RequisitePhoneProps {
  field: BoundField & { disabled?: boolean };
  required?: boolean;
}

/** The phone of a contact or an address. */
export function RequisitePhone({ field, required }: RequisitePhoneProps) {
  const { t } = useTranslation();
  return (
    <PhoneInput
      {...field}
      value={String(field.value)}
      error={field.error || undefined}
      country={COUNTRY}
      label={t('requisites:phone')}
      placeholder="+7"
      required={required}
      invalidText={t('requisites:rule.phone')}
      onChange={({ phone }) => field.onChange(phone)}
    />
  );
}
