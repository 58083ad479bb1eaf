import { Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Empty } from '../../ui/empty.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconChecks } from '../../ui/icons.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ModerationForm } from './moderation-form.tsx';
import { decisionsFor } from './moderation.ts';
import { SendernameDetails } from './sendername-details.tsx';
import { pendingQuery } from './sendernames.api.ts';

/** Pending sender names one after another, the oldest first. A approves, R opens the reason of a rejection. */
export function ModerationQueuePage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data: me } = useQuery(meQuery);
  const { data, error, refetch } = useQuery(pendingQuery);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const mine = (data?.data ?? []).filter((row) => decisionsFor(row, me).length > 0);
  const row = mine.find(({ id }) => !skipped.has(id));
  const body = () => {
    if (error && !data) {
      return (
        <ErrorCard
          title={t('sendernames:queue.failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      );
    }
    if (!data || !me) return <Skeleton height={320} radius="md" />;
    if (!row) {
      return (
        <Empty
          icon={IconChecks}
          title={t(mine.length ? 'sendernames:queue.allSkipped' : 'sendernames:queue.emptyTitle')}
          text={mine.length ? undefined : t('sendernames:queue.emptyText')}
        >
          {mine.length > 0 && (
            <Button variant="default" onClick={() => setSkipped(new Set())}>
              {t('sendernames:queue.again')}
            </Button>
          )}
        </Empty>
      );
    }
    return (
      <Paper withBorder p="md" maw={720} component="section" aria-labelledby="queue-name">
        <Stack>
          {/* What was decided about is gone: the focus comes here. */}
          <Title order={2} size="h3" id="queue-name" tabIndex={-1} data-landing>
            {row.name}
          </Title>
          <SendernameDetails row={row} />
          <ModerationForm key={row.id} row={row} decisions={decisionsFor(row, me)} withKeys />
          <Group>
            <Button variant="subtle" onClick={() => setSkipped((now) => new Set(now).add(row.id))}>
              {t('sendernames:queue.skip')}
            </Button>
          </Group>
        </Stack>
      </Paper>
    );
  };
  return (
    <>
      <PageHeader title={t('sendernames:queue.title')}>
        <Button variant="default" component={Link} to="/settings/sendernames">
          {t('sendernames:queue.all')}
        </Button>
      </PageHeader>
      <Group mb="md" gap="lg">
        <Text size="sm" c="dimmed" role="status">
          {data &&
            t('sendernames:queue.left', {
              count: mine.length,
              number: formats.number(mine.length),
            })}
        </Text>
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {t('sendernames:queue.keys')}
        </Text>
      </Group>
      {body()}
    </>
  );
}
