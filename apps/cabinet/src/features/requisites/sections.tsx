import { RequisiteInput } from '@heliograph/contract';
import { Checkbox, Text, SimpleGrid, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { FormSection } from '../../ui/section-form.tsx';
import { BankFields } from './bank-fields.tsx';
import { ContactFields } from './contact-fields.tsx';
import { LegalFields } from './legal-fields.tsx';
import { RequisitePhone } from './requisite-phone.tsx';
import { bodyOf, EMPTY } from './requisite-values.ts';
import { SignerFields } from './signer-fields.tsx';
import type { RequisiteFormState } from './use-requisite-form.ts';

const LEGAL_ADDRESS = 'data.legalAddress';
const POSTAL_ADDRESS = 'data.postalAddress';

/** The five sections. One is complete when the contract has nothing against its fields. */
export function requisiteSections(form: RequisiteFormState, t: TFunction): FormSection[] {
  const { values } = form;
  const { data } = values;
  const issues = RequisiteInput.safeParse(bodyOf(values)).error?.issues ?? [];
  const wrong = issues.map(({ path }) => path.join('.'));
  const section = (
    id: string,
    fields: string[],
    parts: Pick<FormSection, 'content' | 'onClear'>,
  ): FormSection => ({
    id,
    title: t(`requisites:section.${id}`),
    fields,
    isDone: !wrong.some((path) => fields.some((field) => `${path}.`.startsWith(`${field}.`))),
    ...parts,
  });
  const setData = (changes: Partial<typeof data>) => form.set({ data: { ...data, ...changes } });
  return [
    section('contact', ['contact'], { content: <ContactFields form={form} /> }),
    section('signer', ['signer'], {
      content: <SignerFields form={form} />,
      onClear: () => form.set({ signer: EMPTY.signer() }),
    }),
    section('legal', ['data.legal', 'data.tax'], {
      content: <LegalFields form={form} />,
      onClear: () => setData({ legal: EMPTY.legal(), tax: { ...data.tax, vat: false } }),
    }),
    section('bank', ['data.bank'], {
      content: <BankFields form={form} />,
      onClear: () => setData({ bank: EMPTY.bank() }),
    }),
    section('addresses', values.isPostalSame ? [LEGAL_ADDRESS] : [LEGAL_ADDRESS, POSTAL_ADDRESS], {
      content: (
        <>
          <Text size="sm" fw={600}>
            {t('requisites:legalAddress')}
          </Text>
          <AddressFields form={form} name="legalAddress" />
          <Text size="sm" fw={600}>
            {t('requisites:postalAddress')}
          </Text>
          <Checkbox
            {...form.field('isPostalSame', { type: 'checkbox' })}
            label={t('requisites:postalIsLegal')}
          />
          <AddressFields
            form={form}
            name="postalAddress"
            copies={values.isPostalSame ? 'legalAddress' : undefined}
          />
        </>
      ),
      onClear: () => setData({ legalAddress: EMPTY.address(), postalAddress: EMPTY.address() }),
    }),
  ];
}

interface AddressFieldsProps {
  form: RequisiteFormState;
  name: 'legalAddress' | 'postalAddress';
  /** Shows the other address and cannot be changed; what is wrong is shown and corrected there. */
  copies?: 'legalAddress';
}

function AddressFields({ form, name, copies }: AddressFieldsProps) {
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
      <RequisitePhone field={bind('phone')} />
      <TextInput
        {...bind('phoneAdd')}
        inputMode="numeric"
        label={t('requisites:phoneAdd')}
        maxLength={10}
      />
    </SimpleGrid>
  );
}
