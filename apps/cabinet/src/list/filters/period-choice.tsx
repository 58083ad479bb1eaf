import { Radio, SimpleGrid, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PERIODS } from '../../core/period.ts';
import { PeriodDates } from './period-dates.tsx';
import { useOptimisticValue } from './use-optimistic-value.ts';

interface PeriodChoiceProps {
  label: string;
  /** The longest period that the server accepts. */
  maxDays?: number;
  value: string;
  onChange: (value: string) => void;
  /** After own dates were applied. */
  onApplied?: () => void;
}

export function PeriodChoice({
  label,
  maxDays,
  value: applied,
  onChange: apply,
  onApplied,
}: PeriodChoiceProps) {
  const { t } = useTranslation();
  const [value, onChange] = useOptimisticValue(applied, apply);
  const preset = (PERIODS as readonly string[]).includes(value) ? value : '';
  return (
    <Stack gap="sm" p={4}>
      <Radio.Group
        label={label}
        value={value === '' ? 'any' : preset}
        onChange={(v) => onChange(v === 'any' ? '' : v)}
      >
        <SimpleGrid cols={2} spacing="sm" mt="xs">
          <Radio value="any" label={t('list:period.any')} />
          {PERIODS.map((period) => (
            <Radio key={period} value={period} label={t(`list:period.${period}`)} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <PeriodDates
        key={value}
        value={preset ? '' : value}
        maxDays={maxDays}
        onChange={(dates) => {
          onChange(dates);
          onApplied?.();
        }}
      />
    </Stack>
  );
}
