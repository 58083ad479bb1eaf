import type { InboundRule } from '@heliograph/contract';
import type { InboundHold } from '@heliograph/domain';
import { Alert, Anchor, Badge, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { OptimisticSwitch } from '../../ui/optimistic-switch.tsx';
import { Time } from '../../ui/time.tsx';
import { useUpdateInboundRule } from './inbound-rules.api.ts';

interface InboundRuleCardProps {
  row: InboundRule;
  handle: ReactNode;
  removeButton: ReactNode;
}

/** A rule in the list: what it looks for, what it does, and what became of it. */
export function InboundRuleCard({ row, handle, removeButton }: InboundRuleCardProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { mutateAsync } = useUpdateInboundRule(row.id);
  const lacksTarget =
    (row.actions.includes('list') && !row.ListId) ||
    (row.actions.includes('webhook') && !row.WebhookId);
  return (
    <Paper withBorder p="sm">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        {handle}
        <Stack gap={6} flex={1} miw={0}>
          <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <Anchor
              component={Link}
              to={{ search: `?id=${row.id}` }}
              fw={600}
              miw={0}
              style={{ overflowWrap: 'anywhere' }}
            >
              {row.title}
            </Anchor>
            <Group gap="xs" wrap="nowrap" data-actions>
              <OptimisticSwitch
                checked={row.isActive}
                save={(isActive) => mutateAsync({ isActive })}
                disabled={!can('inboundRules.update')}
                aria-label={t('inboundRules:isActive', { title: row.title })}
              />
              {removeButton}
            </Group>
          </Group>
          <Text size="sm">
            {row.mode === 'any'
              ? t('inboundRules:mode.any')
              : t('common:labelled', {
                  label: t(`inboundRules:mode.${row.mode}`),
                  value: row.keywords.join(', '),
                })}
          </Text>
          <Conditions row={row} />
          <Group gap={6}>
            {row.actions.map((action) => (
              <Badge key={action} variant="light" tt="none">
                {t(
                  action === 'list'
                    ? `inboundRules:done.${row.listChange}`
                    : `inboundRules:done.${action}`,
                )}
              </Badge>
            ))}
            {row.isContinued && (
              <Badge variant="default" tt="none">
                {t('inboundRules:done.continue')}
              </Badge>
            )}
          </Group>
          {lacksTarget && (
            <Alert color="orange" variant="light" p="xs">
              {t('inboundRules:lacksTarget')}
            </Alert>
          )}
          <Counters row={row} />
        </Stack>
      </Group>
    </Paper>
  );
}

function Conditions({ row: { types, sender } }: { row: InboundRule }) {
  const { t } = useTranslation();
  const parts = [
    ...(types.length ? [types.map((type) => t(`common:type.${type}`)).join(', ')] : []),
    ...(sender ? [t('inboundRules:toSender', { sender })] : []),
  ];
  if (!parts.length) return null;
  return (
    <Text size="xs" c="dimmed">
      {parts.join(' · ')}
    </Text>
  );
}

/** What had no effect is shown by its reason. */
function Counters({ row }: { row: InboundRule }) {
  const { t } = useTranslation();
  const held = Object.entries(row.held) as [InboundHold, number][];
  if (!row.matched)
    return (
      <Text size="xs" c="dimmed">
        {t('inboundRules:neverMatched')}
      </Text>
    );
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {t('inboundRules:matched', { count: row.matched })}
        {row.matchedAt && (
          <>
            {' · '}
            <Time at={row.matchedAt} />
          </>
        )}
        {row.actions.includes('reply') && ` · ${t('inboundRules:replies', { count: row.replies })}`}
      </Text>
      {held.map(([reason, count]) => (
        <Text key={reason} size="xs" c={reason === row.hold ? undefined : 'dimmed'}>
          {t('inboundRules:held', { count, reason: t(`inboundRules:hold.${reason}`) })}
        </Text>
      ))}
    </Stack>
  );
}
