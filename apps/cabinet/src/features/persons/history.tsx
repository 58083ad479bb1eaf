import type { Sending, SendingIncoming } from '@heliograph/contract';
import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Time } from '../../ui/time.tsx';
import { AttemptBadge } from '../sendings/sending-badge.tsx';
import { HISTORY_ROWS, messagesFrom, messagesTo, type Person } from './person.api.ts';
import classes from './person.module.css';

type Row = ({ sending: Sending } | { incoming: SendingIncoming }) & { id: string; at: string };

/** Messages in both directions over all channels, the newest first. */
export function History({ person }: { person: Person }) {
  const { t } = useTranslation();
  const can = useCan();
  const to = useQuery(messagesTo(person));
  const from = useQuery({ ...messagesFrom(person), enabled: can('sendingsIncoming.get') });
  if (to.error && !to.data)
    return (
      <ErrorCard
        title={t('persons:historyFailed')}
        error={to.error}
        onRetry={() => void to.refetch()}
      />
    );
  if (!to.data || from.isLoading) return <DetailsSkeleton />;
  const sent = to.data.data.map((sending): Row => ({
    id: sending.id,
    at: sending.createdAt,
    sending,
  }));
  const received = (from.data?.data ?? []).map((incoming): Row => ({
    id: incoming.id,
    at: incoming.createdAt,
    incoming,
  }));
  const rows = [...sent, ...received]
    .toSorted((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id))
    .slice(0, HISTORY_ROWS);
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('persons:noHistory')}
      </Text>
    );
  return (
    <>
      <ul className={classes.history}>
        {rows.map((row) =>
          'sending' in row ? <Sent key={row.id} {...row} /> : <Received key={row.id} {...row} />,
        )}
      </ul>
      {to.data.total > sent.length && (
        <Anchor
          component={Link}
          size="sm"
          to={`/messages/outgoing?f.recipient=${encodeURIComponent(person.address)}`}
        >
          {t('persons:all')}
        </Anchor>
      )}
    </>
  );
}

function Sent({ sending: { id, type, payload, state, createdAt, groupId } }: { sending: Sending }) {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <li data-row={id}>
      <Text component="div" size="xs" c="dimmed">
        <Anchor component={Link} to={`/messages/outgoing?id=${id}`} inherit>
          <Time at={createdAt} />
        </Anchor>
        {` · ${t(`common:type.${type}`)} · ${payload.sender}`}
        {groupId && can('tasks.get') && (
          <>
            {' · '}
            <Anchor component={Link} to={`/messages/tasks/${groupId}`} inherit>
              {t('sendings:detail.task')}
            </Anchor>
          </>
        )}
      </Text>
      <Group justify="space-between" wrap="nowrap" align="start">
        <Text size="sm" lineClamp={2}>
          <Blurred what={t('sendings:text')}>{payload.text || t('sendings:detail.noText')}</Blurred>
        </Text>
        <AttemptBadge status={state.status} />
      </Group>
    </li>
  );
}

function Received({
  incoming: { id, type, payload, to, createdAt },
}: {
  incoming: SendingIncoming;
}) {
  const { t } = useTranslation();
  return (
    <li data-row={id} data-received>
      <Text component="div" size="xs" c="dimmed">
        <Anchor component={Link} to={`/messages/incoming?id=${id}`} inherit>
          <Time at={createdAt} />
        </Anchor>
        {` · ${t(`common:type.${type}`)} · ${to} · ${t('persons:reply')}`}
      </Text>
      <Text size="sm" fw={500} lineClamp={2}>
        <Blurred what={t('sendings:text')}>{payload.text ?? t('sendings:detail.noText')}</Blurred>
      </Text>
    </li>
  );
}
