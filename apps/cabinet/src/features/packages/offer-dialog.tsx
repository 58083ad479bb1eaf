import { packageOffers, type PackageOffer } from '@heliograph/contract';
import { PACKAGE_TYPES, type PackageType } from '@heliograph/domain';
import { Checkbox, MultiSelect, TagsInput, Text, TextInput } from '@mantine/core';
import { FieldGrid } from '../../ui/field-grid.tsx';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useOperatorNames } from '../../core/operator-names.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { CurrencySelect } from '../../ui/currency-select.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { offerQuery, useSaveOffer } from './packages.api.ts';

export function OfferDialog() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={offerQuery}
      mayCreate={can('packageOffers.create', 'managerUp')}
      size={600}
      createTitle={t('packageOffers:createTitle')}
      title={(row) => row?.title ?? t('packageOffers:detail')}
      failed={t('packageOffers:failed')}
    >
      {(row, onClose) => <OfferForm key={row?.id} row={row} onClose={onClose} />}
    </RowDialog>
  );
}

/** Prices have four decimals at most. */
const SCALE = 4;

function OfferForm({ row, onClose }: { row: PackageOffer | null; onClose: () => void }) {
  const { t } = useTranslation();
  const { billings } = useSettings();
  const { mutateAsync } = useSaveOffer(row?.id);
  const form = useContractForm({
    initial: {
      title: row?.title ?? '',
      types: row?.types ?? (['sms'] as PackageType[]),
      mccmnc: row?.mccmnc ?? [],
      units: row?.units ?? (null as number | null),
      days: row?.days ?? (30 as number | null),
      price: row?.price ?? (null as number | null),
      currency: row?.currency ?? billings.currency,
      isActive: row?.isActive ?? true,
    },
    isEdit: !!row,
    schema: packageOffers.create.body,
    toBody: ({ title, units, days, price, ...values }) => ({
      ...values,
      title: title.trim(),
      units: units as number,
      days: days as number,
      price: price as number,
    }),
    submit: mutateAsync,
    onDone(_, { title }) {
      showSuccess(t('packageOffers:saved', { title: title.trim() }));
      onClose();
    },
  });
  const { values } = form;
  const submit = t(row ? 'packageOffers:save' : 'packageOffers:createSubmit');
  return (
    <ContractForm form={form} submit={submit} onCancel={onClose}>
      {row && <Text size="sm">{t('packageOffers:boughtStay')}</Text>}
      <TextInput
        {...form.text('title')}
        label={t('packageOffers:name')}
        description={t('packageOffers:nameHint')}
        required
        autoComplete="off"
      />
      <MultiSelect
        {...form.field('types')}
        label={t('packageOffers:types')}
        data={PACKAGE_TYPES.map((value) => ({ value, label: t(`common:type.${value}`) }))}
        required
        searchable
      />
      <TagsInput
        {...form.field('mccmnc')}
        label={t('packageOffers:networks')}
        description={t('packageOffers:networksHint')}
        splitChars={[',', ';', '\n']}
        acceptValueOnBlur
        autoComplete="off"
        spellCheck={false}
      />
      <NetworkNames codes={values.mccmnc} />
      <FieldGrid>
        <NumberField
          {...form.field('units')}
          value={values.units}
          label={t('packageOffers:units')}
          description={t('packageOffers:unitsHint')}
          scale={0}
          min={1}
          required
        />
        <NumberField
          {...form.field('days')}
          value={values.days}
          label={t('packageOffers:days')}
          description={t('packageOffers:daysHint')}
          scale={0}
          min={1}
          required
        />
        <NumberField
          {...form.field('price')}
          value={values.price}
          label={t('packageOffers:price')}
          scale={SCALE}
          min={0}
          required
        />
        <CurrencySelect
          {...form.field('currency')}
          value={values.currency}
          label={t('packageOffers:currency')}
          description={t('packageOffers:currencyHint')}
        />
      </FieldGrid>
      <Checkbox
        {...form.field('isActive', { type: 'checkbox' })}
        label={t('packageOffers:isActive')}
        description={t('packageOffers:isActiveHint')}
      />
    </ContractForm>
  );
}

/** What the typed codes stand for. */
function NetworkNames({ codes }: { codes: string[] }) {
  const nameOf = useOperatorNames(codes);
  const names = codes.filter((code) => nameOf(code) !== code);
  if (!names.length) return null;
  return (
    <Text size="sm" c="dimmed" role="status" style={{ overflowWrap: 'anywhere' }}>
      {names.map((code) => `${code}: ${nameOf(code)}`).join('; ')}
    </Text>
  );
}
