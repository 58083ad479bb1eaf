import { Paper, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hasMinimum, MonthlyMinimumUsage } from './monthly-minimum.tsx';
import { minimumQuery } from './monthly-minimum.api.ts';

/** The monthly minimum of an account that has one. */
export function MonthlyMinimumPanel({ OwnerId }: { OwnerId?: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(minimumQuery(OwnerId));
  if (!data || !hasMinimum(data)) return null;
  return (
    <Paper component="section" aria-labelledby="monthly-minimum" withBorder p="md" mb="md">
      <Title order={2} size="h5" mb="xs" id="monthly-minimum">
        {t('monthlyMinimum:title')}
      </Title>
      <MonthlyMinimumUsage value={data} />
    </Paper>
  );
}
