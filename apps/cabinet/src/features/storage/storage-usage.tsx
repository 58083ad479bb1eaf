import { Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { usageQuery } from './storage.api.ts';

const WARNING_PERCENT = 90;

/** How much of the account's quota its files take. */
export function StorageUsage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useQuery(usageQuery);
  if (!data) return null;
  const used = formats.bytes(data.used);
  if (data.limit === null)
    return (
      <Text size="sm" c="dimmed">
        {t('storage:usageUnlimited', { used })}
      </Text>
    );
  // Assistive programs do not read 4e-7.
  const percent = Math.min(100, Math.round((data.used / data.limit) * 1000) / 10);
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('storage:usage', { used, limit: formats.bytes(data.limit) })}
      </Text>
      <Progress
        value={percent}
        color={percent >= WARNING_PERCENT ? 'red' : undefined}
        size="sm"
        aria-label={t('storage:usageLabel')}
      />
    </div>
  );
}
