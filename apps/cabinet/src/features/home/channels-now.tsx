import type { Channel } from '@heliograph/contract';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { pollEvery } from '../../core/query.ts';
import { useFormats } from '../../core/use-formats.ts';
import { liveQuery } from '../channels/channels.api.ts';
import { FiguresCard } from './figures-card.tsx';
import { firstChannelsQuery } from './home.api.ts';

const REFRESH_MS = 10_000;

/** Channels with their rate, time to a receipt, queue and failures of the last hour. */
export function ChannelsNow({ height }: { height: number }) {
  const { t } = useTranslation();
  const query = useQuery(firstChannelsQuery);
  return (
    <FiguresCard
      title={t('home:channels.title')}
      height={height}
      loading={160}
      all={{ to: '/channels', label: t('home:channels.all') }}
      query={query}
      failed={t('home:channels.failed')}
      none={t('home:channels.none')}
      head={[
        t('home:channels.channel'),
        t('home:channels.rate'),
        t('home:channels.delay'),
        t('home:channels.queue'),
        t('home:channels.failures'),
      ]}
    >
      {(channel) => <ChannelRow key={channel.id} channel={channel} />}
    </FiguresCard>
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
