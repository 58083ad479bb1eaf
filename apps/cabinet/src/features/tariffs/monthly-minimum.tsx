import type { MonthlyMinimum } from '@heliograph/contract';
import { documentDay, lastDayOf } from '@heliograph/domain';
import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';

/** How much of the minimum of this month is used, what is charged when it ends, and what comes next. */
export function MonthlyMinimumUsage({ value }: { value: MonthlyMinimum }) {
  const { t } = useTranslation();
  const { minimum, spent, fee, next, unpaid, currency, startsAt, endsAt } = value;
  const { money, day } = useFormats(currency);
  const lastDay = day(lastDayOf(documentDay(new Date(startsAt))));
  const nextDay = day(documentDay(new Date(endsAt)));
  const label = t('monthlyMinimum:used', { spent: money(spent), minimum: money(minimum) });
  return (
    <Stack gap={4}>
      {minimum > 0 && (
        <>
          <Text size="sm">{label}</Text>
          <Progress value={Math.min(1, Math.max(0, spent / minimum)) * 100} aria-label={label} />
          <Text size="xs" c="dimmed">
            {fee > 0
              ? t('monthlyMinimum:fee', { fee: money(fee), date: lastDay })
              : t('monthlyMinimum:reached')}
          </Text>
        </>
      )}
      {next !== minimum && (
        <Text size="sm">
          {next > 0
            ? t('monthlyMinimum:next', { minimum: money(next), date: nextDay })
            : t('monthlyMinimum:ends', { date: nextDay })}
        </Text>
      )}
      {unpaid > 0 && (
        <Text size="sm" c="red">
          {t('monthlyMinimum:unpaid', { sum: money(unpaid) })}
        </Text>
      )}
    </Stack>
  );
}

/** Whether there is anything to say of a minimum. */
export const hasMinimum = ({ minimum, next, unpaid }: MonthlyMinimum): boolean =>
  minimum > 0 || next > 0 || unpaid > 0;
