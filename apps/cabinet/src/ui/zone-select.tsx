import { Select, type SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

interface ZoneSelectProps extends Omit<SelectProps, 'data'> {
  value?: string;
  /** The option `''`, before the zones. */
  first?: string;
}

/** The time zones that the browser knows, and the current one, by search. */
export function ZoneSelect({ value = '', first, ...field }: ZoneSelectProps) {
  const { t } = useTranslation();
  const data = useMemo(() => {
    const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
    if (value) zones.add(value);
    const options = [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
    return first === undefined ? options : [{ value: '', label: first }, ...options];
  }, [value, first]);
  return (
    <Select
      {...field}
      data={data}
      value={value}
      allowDeselect={false}
      searchable
      limit={100}
      nothingFoundMessage={t('common:nothingFound')}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
