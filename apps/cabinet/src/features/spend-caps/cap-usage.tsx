import type { SpendCap } from '@heliograph/contract';
import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';

/** How much of a cap is spent, and when it resets. */
export function CapUsage({ cap }: { cap: SpendCap }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { limit, spent, period } = cap;
  const share = limit > 0 ? Math.min(1, Math.max(0, spent / limit)) : 1;
  const label = t(`spendCaps:spent.${period}`, {
    spent: formats.money(spent),
    limit: formats.money(limit),
  });
  return (
    <Stack gap={4}>
      <Text size="sm">{label}</Text>
      <Progress
        value={share * 100}
        color={share >= 1 ? 'red' : share >= 0.8 ? 'orange' : undefined}
        aria-label={label}
      />
      <Text size="xs" c="dimmed">
        {t('spendCaps:resets', { time: formats.dateTime(cap.resetsAt) })}
      </Text>
    </Stack>
  );
}
