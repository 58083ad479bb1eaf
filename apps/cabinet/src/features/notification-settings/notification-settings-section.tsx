import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { ErrorCard } from '../../ui/error-card.tsx';
import { BalanceLimits } from './balance-limits.tsx';
import { EventChips } from './event-chips.tsx';
import { notificationSettingsQuery } from './notification-settings.api.ts';
import { TelegramLink } from './telegram-link.tsx';

/** What a person is notified of, and where. Each chip is saved at once. */
export function NotificationSettingsSection() {
  const { t } = useTranslation();
  const can = useCan();
  const mayUpdate = can('settingsUser.update');
  const { data, error, refetch } = useQuery(notificationSettingsQuery);
  return (
    <Stack component="section" maw={900} gap="md" mt="xl" aria-labelledby="notification-settings">
      <Title order={2} size="h3" id="notification-settings">
        {t('notificationSettings:title')}
      </Title>
      <Text c="dimmed">{t('notificationSettings:about')}</Text>
      {error && !data && (
        <ErrorCard
          title={t('notificationSettings:failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Skeleton h={300} aria-busy />}
      {data && (
        <>
          <TelegramLink telegram={data.telegram} email={data.email} readOnly={!mayUpdate} />
          {can('billings.find') && <BalanceLimits limits={data.limits} readOnly={!mayUpdate} />}
          <EventChips settings={data} readOnly={!mayUpdate} />
        </>
      )}
    </Stack>
  );
}
