import type { Integration } from '@heliograph/contract';
import { Alert, Anchor, Box, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { queryClient } from '../../core/query.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import {
  IconEdit,
  IconPause,
  IconPlay,
  IconRotate,
  IconTrash,
  IconBan,
  IconChecks,
  IconClock,
  IconX,
} from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { documentationPath } from '../../ui/markdown-links.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { StatusBadge, type BadgeAppearance } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { CatalogueSection } from './catalogue-section.tsx';
import classes from './catalogue.module.css';
import { integrationsQuery, useSwitchIntegration } from './integrations.api.ts';
import { refusalText } from './refusal-text.ts';

const Create = later(async () => (await import('./integration-dialogs.tsx')).CreateIntegration);
const Edit = later(async () => (await import('./integration-dialogs.tsx')).EditIntegration);
const Rotate = later(async () => (await import('./integration-dialogs.tsx')).RotateIntegration);
const Remove = later(async () => (await import('./integration-dialogs.tsx')).RemoveIntegration);

/** What is above the catalogue. */
export async function prepare(): Promise<void> {
  const { OwnerId } = await queryClient.ensureQueryData(meQuery);
  await queryClient.prefetchQuery(integrationsQuery(OwnerId));
}

/** The catalogue of programs, and those that the account has connected. */
export function IntegrationsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const { impersonator } = useSettings().session;
  const { data: me } = useQuery(meQuery);
  const [, setCreating] = useParam('create');
  return (
    <>
      <PageHeader title={t('integrations:title')}>
        {can('integrations.create') && !impersonator && (
          <CreateButton onClick={() => setCreating('true')}>
            {t('integrations:create')}
          </CreateButton>
        )}
      </PageHeader>
      <Text size="sm" c="dimmed" mb="md" maw={720}>
        {t('integrations:intro')}
      </Text>
      {me && <Connected OwnerId={me.OwnerId} />}
      <CatalogueSection />
      <Create />
    </>
  );
}

type Action = { kind: 'edit' | 'rotate' | 'remove'; row: Integration } | null;

function Connected({ OwnerId }: { OwnerId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(integrationsQuery(OwnerId));
  const [action, setAction] = useState<Action>(null);
  const rowOf = (kind: NonNullable<Action>['kind']) => (action?.kind === kind ? action.row : null);
  const close = () => setAction(null);
  // An answer that fails later must not close a dialog over the list: one shows a URL only once.
  if (error && !data)
    return (
      <ErrorCard
        title={t('integrations:listFailed')}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data?.data.length) return null;
  return (
    <Box component="section" mb="xl" aria-labelledby="connected">
      <Title order={2} size="h4" id="connected" mb="sm">
        {t('integrations:connected')}
      </Title>
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.data.map((row) => (
          <li key={row.id}>
            <Row row={row} onAction={(kind) => setAction({ kind, row })} />
          </li>
        ))}
      </Stack>
      <Edit row={rowOf('edit')} onClose={close} />
      <Rotate row={rowOf('rotate')} onClose={close} />
      <Remove row={rowOf('remove')} onClose={close} />
    </Box>
  );
}

interface RowProps {
  row: Integration;
  onAction: (kind: NonNullable<Action>['kind']) => void;
}

function Row({ row, onAction }: RowProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { impersonator } = useSettings().session;
  const { mutate, isPending } = useSwitchIntegration();
  const { id, title, kind, sender, isActive, lastMessageAt, error } = row;
  // What failed at the other side goes on when it is switched on again.
  const isStopped = !isActive || row.state === 'failing';
  return (
    <div className={classes.row}>
      <div>
        <Group gap="xs">
          <Text span fw={600}>
            {title}
          </Text>
          <IntegrationBadge state={row.state} />
        </Group>
        <Text size="sm" c="dimmed">
          {t(`integrations:kind.${kind}`)} · {sender} ·{' '}
          {lastMessageAt ? (
            <>
              {t('integrations:lastMessage')} <Time at={lastMessageAt} />
            </>
          ) : (
            t('integrations:never')
          )}
        </Text>
        {error && (
          <Alert color="red" variant="light" mt="xs" p="xs">
            {t('integrations:refused', { reason: refusalText(t, row) })}
            {row.refusal && (
              <Anchor
                component={Link}
                to={documentationPath('api', `errors/${row.refusal.code}`)}
                size="sm"
                display="block"
              >
                {t('integrations:refusedMeaning')}
              </Anchor>
            )}
          </Alert>
        )}
      </div>
      <Group gap="xs" data-actions>
        {can('integrations.update') && (
          <>
            <IconAction
              icon={IconEdit}
              word="edit"
              label={t('integrations:edit', { title })}
              onClick={() => onAction('edit')}
            />
            <IconAction
              icon={isStopped ? IconPlay : IconPause}
              word={isStopped ? 'turnOn' : 'turnOff'}
              label={t(isStopped ? 'integrations:resume' : 'integrations:pause', { title })}
              disabled={isPending}
              onClick={() => mutate({ id, isActive: isStopped })}
            />
            {/* Nobody else gets the secret of its URL. */}
            {!impersonator && (
              <IconAction
                icon={IconRotate}
                word="replaceUrl"
                label={t('integrations:rotate', { title })}
                onClick={() => onAction('rotate')}
              />
            )}
          </>
        )}
        {can('integrations.remove') && (
          <IconAction
            icon={IconTrash}
            word="remove"
            label={t('integrations:remove', { title })}
            onClick={() => onAction('remove')}
          />
        )}
      </Group>
    </div>
  );
}

const STATES: Record<Integration['state'], BadgeAppearance> = {
  waiting: { color: 'yellow', icon: IconClock },
  working: { color: 'green', icon: IconChecks },
  failing: { color: 'red', icon: IconX },
  off: { color: 'gray', icon: IconBan },
};

function IntegrationBadge({ state }: Pick<Integration, 'state'>) {
  const { t } = useTranslation();
  return <StatusBadge appearance={STATES[state]} label={t(`integrations:state.${state}`)} />;
}
