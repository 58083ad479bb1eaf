import type { Channel, ChannelExchange, ChannelLive } from '@heliograph/contract';
import { Badge, Checkbox, Code, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FIND_DEBOUNCE_MS } from '../../core/list-request.ts';
import { operatorsQuery } from '../../core/operator-names.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Facts } from '../../ui/facts.tsx';
import { LimitsNow } from './channel-limits.tsx';
import { exchangesQuery, liveQuery } from './channels.api.ts';

const RESULTS = ['accepted', 'rejected', 'throttled', 'unknown'] as const;
const MINUTES = 5;

/** What a channel does now, what it did in the last hour, and what its carrier says. */
export function ChannelWatch({ row }: { row: Channel }) {
  const { t } = useTranslation();
  const { data } = useQuery(liveQuery(row.id));
  return (
    <>
      <section aria-labelledby="channel-live">
        <Title order={2} size="h5" mb="sm" id="channel-live">
          {t('channels:live.title')}
        </Title>
        {data && (
          <Stack>
            <Now live={data} row={row} />
            <LimitsNow limits={data.limits} />
            <Networks live={data} />
            <Alarms live={data} />
          </Stack>
        )}
      </section>
      <Exchanges channel={row.id} />
    </>
  );
}

function Now({ live, row: { state } }: { live: ChannelLive; row: Channel }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { minutes, receipts } = live;
  const last = minutes.slice(-MINUTES);
  const perMinute = (name: (typeof RESULTS)[number]) =>
    last.reduce((sum, minute) => sum + minute[name], 0) / Math.max(1, last.length);
  const seconds = (value: number | null) =>
    value === null ? null : formats.seconds(Number(value.toPrecision(2)));
  const rate = (value: number) => formats.number(Number(value.toFixed(1)));
  return (
    <Facts
      facts={[
        { label: t('channels:live.waiting'), value: formats.number(live.waiting) },
        { label: t('channels:live.inFlight'), value: formats.number(live.inFlight) },
        {
          label: t('channels:live.rate'),
          value:
            live.rateAllowed === null
              ? rate(live.rateNow)
              : t('channels:live.rateOf', {
                  now: rate(live.rateNow),
                  allowed: rate(live.rateAllowed),
                }),
        },
        {
          label: t('channels:live.paused'),
          value: live.pausedUntil && formats.dateTime(live.pausedUntil),
        },
        ...RESULTS.map((name) => ({
          label: t(`channels:live.perMinute.${name}`),
          value: rate(perMinute(name)),
        })),
        { label: t('channels:live.p50'), value: seconds(receipts.p50) },
        { label: t('channels:live.p95'), value: seconds(receipts.p95) },
        ...(state.sessions ?? []).map(({ worker, connectedAt, error }, i) => ({
          label: t('channels:live.session', { n: i + 1 }),
          value: connectedAt
            ? t('channels:live.connected', { worker, since: formats.dateTime(connectedAt) })
            : (error ?? t('channels:live.notConnected')),
        })),
      ]}
    />
  );
}

function Networks({ live: { networks } }: { live: ChannelLive }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const codes = networks.flatMap(({ mccmnc }) => mccmnc ?? []);
  const { data } = useQuery(operatorsQuery(codes));
  if (!networks.length) return null;
  const nameOf = (mccmnc: string | null) => {
    const found = data?.data.find((one) => one.mccmnc === mccmnc);
    return found?.name ?? mccmnc ?? t('channels:live.noNetwork');
  };
  const share = ({ delivered, failed }: { delivered: number; failed: number }) =>
    delivered + failed ? formats.percent(delivered / (delivered + failed)) : '–';
  return (
    <Table.ScrollContainer minWidth={280}>
      <Table>
        <caption className="visually-hidden">{t('channels:live.networks')}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('channels:live.network')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('channels:live.hour')}
            </Table.Th>
            <Table.Th scope="col" ta="end">
              {t('channels:live.day')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {networks.map(({ mccmnc, hour, day }) => (
            <Table.Tr key={mccmnc ?? ''}>
              <Table.Td>{nameOf(mccmnc)}</Table.Td>
              <Table.Td ta="end" className="numeric">
                {share(hour)}
              </Table.Td>
              <Table.Td ta="end" className="numeric">
                {share(day)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Alarms({ live: { alarms } }: { live: ChannelLive }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (!alarms.length) return null;
  return (
    <Facts
      facts={alarms.map(({ kind, mccmnc, since, endedAt }) => ({
        label: formats.dateTime(since),
        value: (
          <Group gap="xs">
            <Badge color={endedAt ? 'gray' : 'red'} variant="light">
              {t(endedAt ? 'channels:live.over' : 'channels:live.lasts')}
            </Badge>
            <span>
              {t(`channels:alarm.${kind}`)} {mccmnc}
            </span>
          </Group>
        ),
      }))}
    />
  );
}

/** The log of exchanges, searched by the id of a message or the end of a number. */
function Exchanges({ channel }: { channel: string }) {
  const { t } = useTranslation();
  const [sought, setSought] = useState('');
  const [isFailed, setFailed] = useState(false);
  const [settled] = useDebouncedValue(sought.trim(), FIND_DEBOUNCE_MS);
  const { data } = useQuery({
    ...exchangesQuery(channel, settled, isFailed),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-labelledby="channel-exchanges">
      <Title order={2} size="h5" mb="sm" id="channel-exchanges">
        {t('channels:exchanges.title')}
      </Title>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('channels:exchanges.hint')}
        </Text>
        <TextInput
          label={t('channels:exchanges.search')}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
        <Checkbox
          label={t('channels:exchanges.failed')}
          checked={isFailed}
          onChange={(event) => setFailed(event.currentTarget.checked)}
        />
        {data?.data.length === 0 && <Text size="sm">{t('channels:exchanges.none')}</Text>}
        {data?.data.map((one) => (
          <Exchange key={one.id} exchange={one} />
        ))}
      </Stack>
    </section>
  );
}

function Exchange({ exchange }: { exchange: ChannelExchange }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { at, outcome, tails, messages, request, answer, ms } = exchange;
  return (
    <details>
      <summary>
        <Group component="span" gap="xs" display="inline-flex">
          <span className="numeric">{formats.dateTime(at)}</span>
          <Badge component="span" color={outcome === 'accepted' ? 'green' : 'red'} variant="light">
            {t(`channels:rehearsal.result.${outcome}`)}
          </Badge>
          <Text span size="sm" c="dimmed">
            …{tails[0]} {messages > 1 && `+${formats.number(messages - 1)}`}
          </Text>
        </Group>
      </summary>
      <Stack gap="xs" mt="xs">
        <Code block>{request}</Code>
        <Code block>{answer}</Code>
        <Text size="sm">{formats.seconds(ms / 1000)}</Text>
      </Stack>
    </details>
  );
}
