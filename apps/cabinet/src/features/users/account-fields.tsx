import { LEVELS, MAX_LOOKUP_DAYS, type Level } from '@heliograph/contract';
import { Checkbox, NativeSelect, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSettings } from '../../core/settings.ts';
import { CurrencySelect } from '../../ui/currency-select.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { OwnerSelect } from '../../ui/owner-select.tsx';

/** What those who run an account set of it. */
export interface AccountValues {
  level: Level;
  ResellerId: string | null;
  ManagerId: string | null;
  isTest: boolean;
  overdraft: number | null;
  currency: string;
  lookupDays: number | null;
  lookupFirst: boolean;
  maxCustomers: number | null;
  maxCustomerOverdraft: number | null;
  maySellBelowCost: boolean;
}

export interface AccountRights {
  /** Level, reseller and manager. */
  places: boolean;
  /** The currency, look-ups, and the bounds of a reseller. */
  money: boolean;
}

/** The body of the contract with the fields that the user may set. */
export function accountBody(values: AccountValues, { places, money }: AccountRights) {
  const { level, isTest, overdraft } = values;
  const currency = values.currency || null;
  const isReseller = level === 'reseller';
  return {
    isTest,
    overdraft: overdraft ?? 0,
    ...(money && {
      currency,
      lookupDays: values.lookupDays || null,
      lookupFirst: (values.lookupDays && values.lookupFirst) || null,
    }),
    ...(money &&
      isReseller && {
        maxCustomers: values.maxCustomers,
        maxCustomerOverdraft: values.maxCustomerOverdraft,
      }),
    ...(places && isReseller && { maySellBelowCost: values.maySellBelowCost }),
    ...(places && {
      level,
      ResellerId: level === 'me' ? values.ResellerId : null,
      ManagerId: values.ManagerId,
    }),
  };
}

interface AccountFieldsProps {
  form: Pick<ReturnType<typeof useContractForm>, 'field'>;
  values: AccountValues;
  rights: AccountRights;
}

export function AccountFields({ form, values, rights }: AccountFieldsProps) {
  const { t } = useTranslation();
  const { billings } = useSettings();
  const unit = values.currency || billings.currency;
  return (
    <>
      {rights.places && (
        <>
          <NativeSelect
            {...form.field('level')}
            label={t('users:level')}
            data={LEVELS.map((value) => ({ value, label: t(`users:levels.${value}`) }))}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {values.level === 'me' && (
              <OwnerSelect
                {...form.field('ResellerId')}
                value={values.ResellerId}
                label={t('users:levels.reseller')}
                level="reseller"
              />
            )}
            <OwnerSelect
              {...form.field('ManagerId')}
              value={values.ManagerId}
              label={t('users:manager')}
              level="manager"
            />
          </SimpleGrid>
        </>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField
          {...form.field('overdraft')}
          value={values.overdraft}
          label={t('users:overdraft')}
          description={t('users:account.overdraftHint')}
          min={0}
          unit={unit}
        />
        {rights.money && (
          <CurrencySelect
            {...form.field('currency')}
            value={values.currency}
            label={t('users:account.currency')}
            first={t('users:account.currencyDefault')}
          />
        )}
      </SimpleGrid>
      {rights.money && (
        <NumberField
          {...form.field('lookupDays')}
          value={values.lookupDays}
          label={t('users:account.lookupDays')}
          description={t('users:account.lookupDaysHint')}
          scale={0}
          min={0}
          max={MAX_LOOKUP_DAYS}
          unit={t('users:account.lookupDaysUnit')}
        />
      )}
      {rights.money && values.lookupDays !== null && values.lookupDays > 0 && (
        <Checkbox
          {...form.field('lookupFirst', { type: 'checkbox' })}
          label={t('users:account.lookupFirst')}
          description={t('users:account.lookupFirstHint')}
        />
      )}
      {rights.money && values.level === 'reseller' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberField
            {...form.field('maxCustomers')}
            value={values.maxCustomers}
            label={t('users:account.maxCustomers')}
            scale={0}
            min={0}
          />
          <NumberField
            {...form.field('maxCustomerOverdraft')}
            value={values.maxCustomerOverdraft}
            label={t('users:account.maxOverdraft')}
            min={0}
            unit={unit}
          />
        </SimpleGrid>
      )}
      {rights.places && values.level === 'reseller' && (
        <Checkbox
          {...form.field('maySellBelowCost', { type: 'checkbox' })}
          label={t('users:account.maySellBelowCost')}
          description={t('users:account.maySellBelowCostHint')}
        />
      )}
      <Checkbox
        {...form.field('isTest', { type: 'checkbox' })}
        label={t('users:isTest')}
        description={t('users:account.testHint')}
      />
    </>
  );
}
