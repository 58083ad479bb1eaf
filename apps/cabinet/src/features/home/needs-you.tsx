import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useBalance } from '../../core/account.ts';
import { usePolling } from '../../core/realtime/live.ts';
import { useCan, useMayOpen, useSettings } from '../../core/settings.ts';
import { ErrorCard } from '../../ui/error-card.tsx';
import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconConversations,
  IconPhone,
  IconSendername,
  IconWallet,
  IconWebhook,
} from '../../ui/icons.ts';
import { waitingQuery } from '../conversations/waiting.api.ts';
import { pendingQuery } from '../sendernames/sendernames.api.ts';
import { Card } from './card.tsx';
import { failingQuery, pausedQuery, rejectedQuery } from './home.api.ts';
import { summaryQuery } from './summary.api.ts';
import classes from './home.module.css';
import { needsOf } from './home-rules.ts';

const ICONS = {
  phone: IconPhone,
  waiting: IconConversations,
  webhook: IconWebhook,
  queue: IconSendername,
  rejected: IconBan,
  paused: IconAlertTriangle,
  held: IconAlertTriangle,
  lowBalance: IconWallet,
};

/** Items that need an action of the user. */
export function NeedsYou() {
  const { t } = useTranslation();
  const can = useCan();
  const mayOpen = useMayOpen();
  const { OwnerId, UserId, level, isRestricted, impersonator } = useSettings().session;
  const nameInterval = usePolling('sendernames');
  const taskInterval = usePolling('tasks');
  const webhookInterval = usePolling('webhooks');
  const talkInterval = usePolling('conversations');
  const pending = useQuery({
    ...pendingQuery,
    enabled: can('sendernames.moderate', 'resellerUp'),
    refetchInterval: nameInterval,
  });
  const rejected = useQuery({
    ...rejectedQuery(OwnerId),
    enabled: can('sendernames.get'),
    refetchInterval: nameInterval,
  });
  const paused = useQuery({
    ...pausedQuery(OwnerId),
    enabled: can('tasks.get'),
    refetchInterval: taskInterval,
  });
  const failing = useQuery({
    ...failingQuery(OwnerId),
    enabled: can('webhooks.get'),
    refetchInterval: webhookInterval,
  });
  const talks = useQuery({
    ...waitingQuery(OwnerId),
    enabled: can('sendingsIncoming.get'),
    refetchInterval: talkInterval,
  });
  const day = useQuery({ ...summaryQuery(), enabled: can('sendings.get') });
  const balance = useBalance();
  const queries = [pending, rejected, paused, failing, talks, day, balance];
  const loading = queries.some((query) => query.isLoading);
  const failed = queries.filter((query) => query.error && !query.data);
  const needs = needsOf({
    isPhoneMissing: isRestricted && UserId === OwnerId && !impersonator,
    failing: failing.data?.data.filter(({ reason }) => reason === 'failing') ?? [],
    conversations: talks.data?.total ?? 0,
    // Users cannot decide about their own sender names.
    waiting: pending.data?.data.filter((row) => row.OwnerId !== OwnerId).length ?? 0,
    rejected: rejected.data?.data ?? [],
    paused: paused.data?.data ?? [],
    // Managers run the accounts of others, and spend nothing of their own.
    available:
      balance.data && level !== 'manager' ? balance.data.balance + balance.data.overdraft : null,
    daysLeft: day.data?.money?.daysLeft ?? null,
    mayPay: mayOpen('/balance/payments') && can('payments.create'),
  });
  return (
    <Card title={t('home:needs.title')} height={150}>
      {loading ? (
        <Skeleton height={28} aria-busy />
      ) : needs.length === 0 && failed.length === 0 ? (
        <Text size="sm" c="dimmed" className={classes.line}>
          <IconCheck size={18} aria-hidden /> {t('home:needs.none')}
        </Text>
      ) : (
        <ul className={classes.list}>
          {needs.map(({ key, kind, name, count, to }) => {
            const NeedIcon = ICONS[kind];
            const text = t(`home:needs.${kind}`, { name, count });
            return (
              <li key={key} className={classes.line}>
                <NeedIcon size={18} aria-hidden color="var(--app-orange-text)" />
                {to ? (
                  <Anchor component={Link} to={to} size="sm">
                    {text}
                  </Anchor>
                ) : (
                  text
                )}
              </li>
            );
          })}
        </ul>
      )}
      {!loading && failed[0] && (
        <ErrorCard
          title={t('home:needs.failed')}
          error={failed[0].error}
          onRetry={() => failed.forEach(({ refetch }) => void refetch())}
        />
      )}
    </Card>
  );
}
