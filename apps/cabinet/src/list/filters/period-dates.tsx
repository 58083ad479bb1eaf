import { Button, Fieldset, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { periodDays } from '../../core/period.ts';

interface PeriodDatesProps {
  /** `from..to`, or empty. */
  value: string;
  maxDays?: number;
  onChange: (value: string) => void;
}

const dayOf = (edge: string | undefined) => edge?.slice(0, 10) ?? '';

/** The date fields allow at most so many days between the two dates. */
const MAX_SPAN_DAYS = 186;

function shiftDay(day: string, days: number): string | undefined {
  const time = Date.parse(day);
  return time ? new Date(time + days * 86_400_000).toISOString().slice(0, 10) : undefined;
}

/** A custom range of two dates. Native date fields: no extra code, and assistive software supports them. */
export function PeriodDates({ value, maxDays, onChange }: PeriodDatesProps) {
  const { t } = useTranslation();
  const [left, right] = value.split('..');
  const [from, setFrom] = useState(dayOf(left));
  const [to, setTo] = useState(dayOf(right));
  const span = `${from}..${to}`;
  const reversed = !!from && !!to && from > to;
  const tooLong = !!from && maxDays !== undefined && periodDays(span, Date.now()) > maxDays;
  const error = reversed
    ? t('list:period.reversed')
    : tooLong
      ? t('sendings.warnings.filter', { count: maxDays })
      : undefined;
  return (
    <Fieldset legend={t('list:period.own')} p="sm">
      <Stack gap="xs">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          <TextInput
            type="date"
            label={t('list:period.from')}
            value={from}
            min={shiftDay(to, -MAX_SPAN_DAYS)}
            max={to}
            onChange={(e) => setFrom(e.currentTarget.value)}
          />
          <TextInput
            type="date"
            label={t('list:period.to')}
            value={to}
            min={from}
            max={shiftDay(from, MAX_SPAN_DAYS)}
            onChange={(e) => setTo(e.currentTarget.value)}
            error={error}
          />
        </SimpleGrid>
        <Button
          variant="default"
          disabled={!!error || (!from && !to)}
          onClick={() => onChange(span)}
        >
          {t('list:period.apply')}
        </Button>
      </Stack>
    </Fieldset>
  );
}
