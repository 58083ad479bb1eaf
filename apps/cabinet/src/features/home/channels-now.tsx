import type { Channel } from '@heliograph/contract';
import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { pollEvery } from '../../core/query.ts';
import { useFormats } from '../../core/use-formats.ts';
import { ErrorCard } from '../../ui/error-card.tsx';
import { liveQuery } from '../channels/channels.api.ts';
import { Card } from './card.tsx';
import { firstChannelsQuery } from './home.api.ts';
import classes from './home.module.css';

const REFRESH_MS = 10_000;

/** Channels with their rate, time to a receipt, queue and failures of the last hour. */
export function ChannelsNow({ height }: { height: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(firstChannelsQuery);
  return (
    <Card
      title={t('home:channels.title')}
      height={height}
      aside={
        <Anchor component={Link} to="/channels" size="sm">
          {t('home:channels.all')}
        </Anchor>
      }
    >
      {error && !data ? (
        <ErrorCard title={t('home:channels.failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={160} aria-busy />
      ) : data.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('home:channels.none')}
        </Text>
      ) : (
        <table className={classes.figures}>
          <caption className="visually-hidden">{t('home:channels.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('home:channels.channel')}</th>
              <th scope="col">{t('home:channels.rate')}</th>
              <th scope="col">{t('home:channels.delay')}</th>
              <th scope="col">{t('home:channels.queue')}</th>
              <th scope="col">{t('home:channels.failures')}</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map((channel) => (
              <ChannelRow key={channel.id} channel={channel} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function ChannelRow({ channel: { id, name, isActive } }: { channel: Channel }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data: live } = useQuery({ ...liveQuery(id), refetchInterval: pollEvery(REFRESH_MS) });
  const failures = live?.minutes.reduce(
    (sum, { rejected, unknown }) => sum + rejected + unknown,
    0,
  );
  const number = (value: number | undefined) => (value === undefined ? '' : formats.number(value));
  const delay = live?.receipts.p50;
  return (
    <tr>
      <th scope="row">
        <Anchor component={Link} to={`/channels?id=${id}`} inherit>
          {name}
        </Anchor>
        {!isActive && (
          <Text size="xs" c="dimmed">
            {t('home:channels.off')}
          </Text>
        )}
      </th>
      <td>{number(live && Number(live.rateNow.toFixed(1)))}</td>
      <td>{live && (delay == null ? '–' : formats.seconds(Number(delay.toPrecision(2))))}</td>
      <td>{number(live?.waiting)}</td>
      <td>{number(failures)}</td>
    </tr>
  );
}
