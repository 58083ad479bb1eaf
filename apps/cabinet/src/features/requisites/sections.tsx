import { Checkbox, Text } from '@mantine/core';
import { RequisiteInput } from '@heliograph/contract';
import type { TFunction } from 'i18next';
import type { FormSection } from '../../ui/section-form.tsx';
import { AddressFields } from './address-fields.tsx';
import { BankFields } from './bank-fields.tsx';
import { ContactFields } from './contact-fields.tsx';
import { LegalFields } from './legal-fields.tsx';
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
