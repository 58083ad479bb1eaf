import { Button, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { later } from '../../ui/later.tsx';
import { hasMinimum, MonthlyMinimumUsage } from './monthly-minimum.tsx';
import { minimumQuery } from './monthly-minimum.api.ts';

const MinimumForm = later(
  async () => (await import('./monthly-minimum-form.tsx')).MonthlyMinimumForm,
);

interface MonthlyMinimumSectionProps {
  OwnerId: string;
  username: string;
}

/** The monthly minimum of an account, for those who set its prices. */
export function MonthlyMinimumSection({ OwnerId, username }: MonthlyMinimumSectionProps) {
  const { t } = useTranslation();
  const { session } = useSettings();
  const can = useCan();
  const maySet =
    can('tariffs.update', 'resellerUp') &&
    !(session.level === 'reseller' && OwnerId === session.OwnerId);
  const { data, error, refetch } = useQuery({ ...minimumQuery(OwnerId), enabled: maySet });
  const [opened, setOpened] = useState(false);
  const onClose = () => setOpened(false);
  if (!maySet) return null;
  return (
    <section aria-labelledby="user-minimum">
      <Title order={2} size="h5" mb="xs" id="user-minimum">
        {t('monthlyMinimum:title')}
      </Title>
      {!data && error && (
        <ErrorCard title={t('monthlyMinimum:title')} error={error} onRetry={() => void refetch()} />
      )}
      {data &&
        (hasMinimum(data) ? (
          <MonthlyMinimumUsage value={data} />
        ) : (
          <Text size="sm" c="dimmed">
            {t('monthlyMinimum:none')}
          </Text>
        ))}
      {data && (
        <Group mt="xs">
          <Button variant="default" size="xs" onClick={() => setOpened(true)}>
            {t('monthlyMinimum:change')}
          </Button>
        </Group>
      )}
      <Dialog
        opened={opened}
        onClose={onClose}
        title={t('monthlyMinimum:of', { username })}
        size={500}
      >
        {data && <MinimumForm value={data} onClose={onClose} />}
      </Dialog>
    </section>
  );
}
