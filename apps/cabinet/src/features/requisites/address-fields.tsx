import { SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RequisiteFormState } from './use-requisite-form.ts';

interface AddressFieldsProps {
  form: RequisiteFormState;
  name: 'legalAddress' | 'postalAddress';
  /** Shows the other address and cannot be changed; what is wrong is shown and corrected there. */
  copies?: 'legalAddress';
}

export function AddressFields({ form, name, copies }: AddressFieldsProps) {
  const { t } = useTranslation();
  const bind = (field: keyof typeof form.values.data.legalAddress) => ({
    ...form.field(`data.${name}.${field}`),
    ...(copies && { value: form.values.data[copies][field], error: null, disabled: true }),
  });
  return (
    <SimpleGrid
      cols={{ base: 1, sm: 2 }}
      role="group"
      aria-label={t(
        name === 'legalAddress' ? 'requisites:legalAddress' : 'requisites:postalAddress',
      )}
    >
      <TextInput {...bind('country')} label={t('requisites:country')} required maxLength={100} />
      <TextInput {...bind('city')} label={t('requisites:city')} required maxLength={100} />
      <TextInput
        {...bind('index')}
        label={t('requisites:index')}
        inputMode="numeric"
        required
        maxLength={6}
      />
      <TextInput {...bind('address')} label={t('requisites:address')} required maxLength={300} />
      <TextInput
        {...bind('phone')}
        type="tel"
        inputMode="tel"
        label={t('requisites:phone')}
        maxLength={40}
      />
      <TextInput
        {...bind('phoneAdd')}
        inputMode="numeric"
        label={t('requisites:phoneAdd')}
        maxLength={10}
      />
    </SimpleGrid>
  );
}
