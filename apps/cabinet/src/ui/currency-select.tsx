import { CURRENCIES } from '@heliograph/domain';
import { Select, type SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

interface CurrencySelectProps extends Omit<SelectProps, 'data'> {
  value?: string;
  /** The option `''`, before the currencies. */
  first?: string;
}

/** A currency by its code or its name. */
export function CurrencySelect({ value = '', first, ...field }: CurrencySelectProps) {
  const { t, i18n } = useTranslation();
  const data = useMemo(() => {
    const names = new Intl.DisplayNames([i18n.language], { type: 'currency' });
    // One that was stored before only these were accepted is shown.
    const options = [...new Set(value ? [...CURRENCIES, value] : CURRENCIES)].map((code) => ({
      value: code,
      label: `${code} – ${names.of(code)}`,
    }));
    return first === undefined ? options : [{ value: '', label: first }, ...options];
  }, [i18n.language, value, first]);
  return (
    <Select
      {...field}
      data={data}
      value={value}
      allowDeselect={false}
      searchable
      nothingFoundMessage={t('common:nothingFound')}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
