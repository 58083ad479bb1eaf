import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ErrorCard } from '../../ui/error-card.tsx';
import { latestWebhooksQuery } from './webhooks.api.ts';
import { WebhookBadge } from './webhook-badges.tsx';

/** The newest webhooks among the personal settings, where the specification has them, and the way to all of them. */
export function WebhooksSection() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(latestWebhooksQuery);
  return (
    <Stack component="section" maw={900} gap="md" mt="xl" aria-labelledby="webhooks">
      <Title order={2} size="h3" id="webhooks">
        {t('webhooks:title')}
      </Title>
      <Text c="dimmed">{t('webhooks:intro')}</Text>
      {error && !data && (
        <ErrorCard title={t('webhooks:failed')} error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton h={28} aria-busy />}
      {data?.data.map(({ id, title, state }) => (
        <Group key={id} gap="sm">
          <Anchor component={Link} to={`/settings/webhooks?id=${id}`} size="sm" underline="always">
            {title}
          </Anchor>
          <WebhookBadge state={state} />
        </Group>
      ))}
      <div>
        <Button component={Link} to="/settings/webhooks" variant="default">
          {t('webhooks:all')}
        </Button>
      </div>
    </Stack>
  );
}
