import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { daysBetween, today } from './dates.ts';

interface DateFieldProps extends Omit<
  TextInputProps,
  'value' | 'onChange' | 'min' | 'max' | 'type'
> {
  /** A day of the calendar, `2027-03-31`; empty for none. */
  value: string;
  onChange: (day: string) => void;
  min?: string;
  max?: string;
}

/** A day between two others, with the number of days until it. */
export function DateField({ value, onChange, min, max, ...props }: DateFieldProps) {
  const { t } = useTranslation();
  const days = value ? daysBetween(today(), value) : NaN;
  const isWithin = value && (!min || value >= min) && (!max || value <= max);
  return (
    <div>
      <TextInput
        {...props}
        type="date"
        value={value}
        min={min}
        max={max}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed" aria-live="polite" mih="1lh">
        {isWithin && Number.isFinite(days) && t('common:date.daysLeft', { count: days })}
      </Text>
    </div>
  );
}
