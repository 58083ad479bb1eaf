import { Button, Fieldset, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { periodDays } from '../core/period.ts';

interface PeriodDatesProps {
  /** `from..to`, or empty. */
  value: string;
  maxDays?: number;
  onChange: (value: string) => void;
}

const dayOf = (edge: string | undefined) => edge?.slice(0, 10) ?? '';

/** The picker offers no more than this around the other day. */
const FARTHEST = 186;

function shiftDay(day: string, days: number): string | undefined {
  const time = Date.parse(day);
  return time ? new Date(time + days * 86_400_000).toISOString().slice(0, 10) : undefined;
}

/** Two days of one's own; the browser's date fields cost nothing and are known to every assistive program. */
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
            min={shiftDay(to, -FARTHEST)}
            max={to}
            onChange={(e) => setFrom(e.currentTarget.value)}
          />
          <TextInput
            type="date"
            label={t('list:period.to')}
            value={to}
            min={from}
            max={shiftDay(from, FARTHEST)}
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
