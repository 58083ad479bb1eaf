import { Autocomplete, SimpleGrid, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIND_DEBOUNCE_MS } from '../../core/list-request.ts';
import { useSettings } from '../../core/settings.ts';
import { banksQuery } from './requisites.api.ts';
import type { RequisiteFormState } from './use-requisite-form.ts';

const MIN_QUERY_LENGTH = 2;

/** The bank, which a search by BIK or name fills in, and the accounts. */
export function BankFields({ form }: { form: RequisiteFormState }) {
  const { t } = useTranslation();
  const { tools } = useSettings();
  const account = {
    inputMode: 'numeric',
    autoComplete: 'off',
    className: 'numeric',
    required: true,
    maxLength: 30,
  } as const;
  return (
    <>
      {tools.lookups && <BankSearch form={form} />}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          {...form.field('data.bank.name')}
          label={t('requisites:bankName')}
          required
          maxLength={300}
        />
        <TextInput {...form.field('data.bank.bik')} {...account} label={t('requisites:bik')} />
        <TextInput {...form.field('data.bank.rs')} {...account} label={t('requisites:rs')} />
        <TextInput {...form.field('data.bank.ks')} {...account} label={t('requisites:ks')} />
      </SimpleGrid>
    </>
  );
}

function BankSearch({ form }: { form: RequisiteFormState }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [query] = useDebouncedValue(typed.trim(), FIND_DEBOUNCE_MS);
  const isSearched = query.length >= MIN_QUERY_LENGTH;
  const { data, isError, isFetching } = useQuery({ ...banksQuery(query), enabled: isSearched });
  const found = isSearched ? (data?.suggestions ?? []) : [];
  const labelOf = ({ bik, name }: { bik: string; name: string }) => `${bik} ${name}`;
  const fill = (label: string) => {
    const bank = found.find((one) => labelOf(one) === label);
    if (!bank) return;
    form.field('data.bank.name').onChange(bank.name);
    form.field('data.bank.bik').onChange(bank.bik);
    form.field('data.bank.ks').onChange(bank.ks);
  };
  // A chosen bank is written into its fields, not into the search, which would look for it again.
  const type = (value: string) =>
    setTyped(found.some((one) => labelOf(one) === value) ? '' : value);
  const isEmpty = isSearched && !isFetching && !isError && found.length === 0;
  return (
    <div>
      <Autocomplete
        label={t('requisites:bankSearch')}
        description={t('requisites:bankSearchHint')}
        value={typed}
        onChange={type}
        onOptionSubmit={fill}
        // The server has searched already.
        filter={({ options }) => options}
        data={[...new Set(found.map(labelOf))]}
        error={isError && t('requisites:lookupFailed')}
        maxLength={200}
      />
      <span role="status" className={isEmpty ? undefined : 'visually-hidden'}>
        {isEmpty && t('requisites:bankNotFound')}
      </span>
    </div>
  );
}
