import { ORGANIZATION_FORMS, organizationKind } from '@heliograph/domain';
import { Autocomplete, Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { RequisiteFormState } from './use-requisite-form.ts';

const numeric = { inputMode: 'numeric', autoComplete: 'off', className: 'numeric' } as const;

/** The organization. Entrepreneurs have no KPP. */
export function LegalFields({ form }: { form: RequisiteFormState }) {
  const { t } = useTranslation();
  const { legal } = form.values.data;
  const isPerson = organizationKind(legal.opf, legal.inn) === 'entrepreneur';
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Autocomplete
          {...form.field('data.legal.opf')}
          label={t('requisites:opf')}
          data={[...ORGANIZATION_FORMS]}
          required
          maxLength={100}
        />
        <TextInput
          {...form.field('data.legal.name')}
          label={t('requisites:name')}
          required
          maxLength={300}
        />
        <TextInput
          {...form.field('data.legal.inn')}
          {...numeric}
          label={t('requisites:inn')}
          required
          maxLength={20}
        />
        <TextInput
          {...form.field('data.legal.ogrn')}
          {...numeric}
          label={t(isPerson ? 'requisites:ogrnip' : 'requisites:ogrn')}
          required
          maxLength={20}
        />
        <TextInput
          {...form.field('data.legal.kpp')}
          autoComplete="off"
          className="numeric"
          label={t('requisites:kpp')}
          disabled={isPerson && !legal.kpp}
          maxLength={9}
        />
        <TextInput
          {...form.field('data.legal.okpo')}
          {...numeric}
          label={t('requisites:okpo')}
          maxLength={10}
        />
      </SimpleGrid>
      <Checkbox
        {...form.field('data.tax.vat', { type: 'checkbox' })}
        label={t('requisites:paysVat')}
      />
    </>
  );
}
