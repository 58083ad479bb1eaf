import type { TariffVolume } from '@heliograph/contract';
import { Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { volumesQuery } from './tariffs.api.ts';

/** What an account has used of its tariffs with volume steps this month, and how far the next steps are. */
export function TariffVolumes({ OwnerId }: { OwnerId?: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(volumesQuery(OwnerId));
  if (!data?.data.length) return null;
  return (
    <Paper component="section" aria-labelledby="tariff-volumes" withBorder p="md" mb="md">
      <Title order={2} size="h5" mb="xs" id="tariff-volumes">
        {t('tariffs:steps.title')}
      </Title>
      <Stack gap="sm">
        {data.data.map((volume) => (
          <Volume key={volume.TariffId} volume={volume} />
        ))}
      </Stack>
    </Paper>
  );
}

function Volume({ volume }: { volume: TariffVolume }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { tariff, units, step, next, left } = volume;
  const percentOf = (one: NonNullable<typeof step>) => formats.number(one.percent);
  const used = t('tariffs:steps.used', { title: tariff, units: formats.number(units) });
  return (
    <Stack gap={4}>
      <Text size="sm">{used}</Text>
      {next && <Progress value={Math.min(1, units / next.from) * 100} aria-label={used} />}
      <Text size="sm" fw={step ? 600 : undefined}>
        {step
          ? t('tariffs:steps.inForce', { percent: percentOf(step) })
          : t('tariffs:steps.before')}
      </Text>
      <Text size="xs" c="dimmed">
        {next
          ? t('tariffs:steps.left', { left: formats.number(left!), percent: percentOf(next) })
          : t('tariffs:steps.last')}
      </Text>
    </Stack>
  );
}
