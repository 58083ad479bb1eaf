import type { Conversation } from '@heliograph/contract';
import { Badge, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { ConversationBadge } from './conversation-badge.tsx';
import classes from './conversations.module.css';

interface ConversationListProps {
  rows: Conversation[];
  loading: boolean;
  openId: string | null;
}

export function ConversationList({ rows, loading, openId }: ConversationListProps) {
  const { t } = useTranslation();
  const rowTo = useRowLink();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const open = list.current?.querySelector('[aria-current]');
    // Of this list alone: the page stays where it is.
    if (open && list.current!.scrollHeight > list.current!.clientHeight)
      open.scrollIntoView({ block: 'nearest' });
  }, [openId, loading]);
  if (loading)
    return (
      <div data-coming>
        <DetailsSkeleton />
      </div>
    );
  return (
    <div className={classes.listed} ref={list}>
      <ul className={classes.list} aria-label={t('conversations:title')}>
        {rows.map((row) => (
          <li key={row.id} data-row={row.id}>
            <Link to={rowTo(row)} aria-current={row.id === openId ? 'true' : undefined}>
              <Summary row={row} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Summary({ row }: { row: Conversation }) {
  const { t } = useTranslation();
  const { address, contact, lastMessage, unread, Assignee, labels, Owner } = row;
  const { direction, text, attachment } = lastMessage;
  const extract = text ?? (attachment ? t(`incoming:with.${attachment}`) : t('incoming:noText'));
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text component="span" fw={unread ? 700 : 500} truncate className="numeric">
          <Blurred what={t('conversations:person')}>{contact ?? address}</Blurred>
        </Text>
        <Text component="span" size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          <Time at={row.lastMessageAt} />
        </Text>
      </Group>
      <Text component="span" display="block" size="sm" truncate fw={unread ? 600 : undefined}>
        <Blurred what={t('incoming:text')}>
          {direction === 'outgoing' ? t('conversations:you', { text: extract }) : extract}
        </Blurred>
      </Text>
      <Group gap="xs" mt={4}>
        <ConversationBadge state={row.state} />
        <Text component="span" size="xs" c="dimmed">
          {[t(`common:type.${row.type}`), Owner?.username].filter(Boolean).join(' · ')}
        </Text>
        {Assignee && (
          <Text component="span" size="xs" truncate>
            <span className="visually-hidden">{t('conversations:assignee')} </span>
            <Blurred what={t('conversations:assignee')}>{Assignee.name}</Blurred>
          </Text>
        )}
        {labels.map((label) => (
          <Badge key={label} component="span" variant="light" color="gray" tt="none">
            <Blurred what={t('conversations:labels')}>{label}</Blurred>
          </Badge>
        ))}
        {unread > 0 && (
          <Badge ms="auto" aria-label={t('conversations:unread', { count: unread })}>
            {unread}
          </Badge>
        )}
      </Group>
    </>
  );
}
