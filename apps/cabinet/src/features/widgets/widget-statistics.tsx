import { NativeSelect, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Facts } from '../../ui/facts.tsx';
import { statisticsQuery } from './widgets.api.ts';

const DAYS = [1, 7, 31, 93];

/** How many of those who asked for a code confirmed, in all and by channel. */
export function WidgetStatistics({ id }: { id: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [days, setDays] = useState(7);
  const { data, error, refetch } = useQuery(statisticsQuery(id, days));
  const share = (ratio: number | null) => (ratio === null ? '—' : formats.percent(ratio));
  return (
    <Stack>
      <NativeSelect
        label={t('widgets:statistics.period')}
        value={days}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
        data={DAYS.map((count) => ({
          value: String(count),
          label: t('widgets:statistics.days', { count }),
        }))}
        maw={240}
      />
      {data ? (
        <>
          <Facts
            facts={[
              { label: t('widgets:statistics.sessions'), value: formats.number(data.sessions) },
              { label: t('widgets:statistics.confirmed'), value: formats.number(data.confirmed) },
              { label: t('widgets:statistics.conversion'), value: share(data.conversion) },
            ]}
          />
          {data.channels.length ? (
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{t('widgets:statistics.channel')}</Table.Th>
                  <Table.Th scope="col">{t('widgets:statistics.sent')}</Table.Th>
                  <Table.Th scope="col">{t('widgets:statistics.confirmed')}</Table.Th>
                  <Table.Th scope="col">{t('widgets:statistics.conversion')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.channels.map(({ channelType, sent, confirmed, conversion }) => (
                  <Table.Tr key={channelType}>
                    <Table.Th scope="row" fw={400}>
                      {t(`common:type.${channelType}`)}
                    </Table.Th>
                    <Table.Td>{formats.number(sent)}</Table.Td>
                    <Table.Td>{formats.number(confirmed)}</Table.Td>
                    <Table.Td>{share(conversion)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          ) : (
            <Text size="sm" c="dimmed">
              {t('widgets:statistics.none')}
            </Text>
          )}
        </>
      ) : error ? (
        <ErrorCard
          title={t('widgets:statistics.failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <DetailsSkeleton />
      )}
    </Stack>
  );
}
