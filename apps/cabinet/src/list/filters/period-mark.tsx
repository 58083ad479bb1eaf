import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PERIODS } from '../../core/period.ts';

/** The chosen period beside the title of a list. */
export function PeriodMark({ period }: { period: string }) {
  const { t } = useTranslation();
  const preset = PERIODS.find((one) => one === period);
  if (!preset) return null;
  return (
    <Text span c="dimmed">
      {t(`list:period.${preset}`)}
    </Text>
  );
}
