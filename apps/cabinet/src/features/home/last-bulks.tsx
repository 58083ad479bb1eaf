import { deliveryRate } from '@heliograph/domain';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { Time } from '../../ui/time.tsx';
import { analyticsQuery } from '../analytics/analytics.api.ts';
import { lastDays } from './days.ts';
import { FiguresCard } from './figures-card.tsx';
import { lastBulksQuery } from './home.api.ts';

/** How far back costs are looked for. */
const DAYS = 60;

/** The latest bulks with the share of their recipients that was reached, and what they cost. */
export function LastBulks({ height }: { height: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const query = useQuery(lastBulksQuery);
  const { period } = lastDays(DAYS);
  const figures = useQuery({
    ...analyticsQuery({ by: 'task', period, isCompared: false, rows: 200 }),
    enabled: can('billings.find'),
  });
  const costs = new Map(figures.data?.data.map((row) => [row.key, row.figures]));
  return (
    <FiguresCard
      title={t('home:bulks.title')}
      height={height}
      loading={160}
      all={{ to: '/messages/tasks', label: t('home:running.all') }}
      query={query}
      failed={t('home:running.failed')}
      none={t('home:bulks.none')}
      head={[
        t('home:bulks.task'),
        t('home:bulks.share'),
        ...(can('billings.find') ? [t('home:bulks.cost')] : []),
      ]}
    >
      {({ id, title, meta, createdAt }) => {
        const { completed, errored } = meta.counters;
        const share = deliveryRate({ delivered: completed, failed: errored });
        const { cost, covered } = costs.get(id) ?? {};
        return (
          <tr key={id}>
            <th scope="row">
              <Anchor component={Link} to={`/messages/tasks/${id}`} inherit>
                {title}
              </Anchor>
              <Text size="xs" c="dimmed">
                <Time at={createdAt} />
              </Text>
            </th>
            <td>{share === null ? '–' : formats.percent(share)}</td>
            {can('billings.find') && (
              <td>
                {typeof cost === 'number' ? (
                  <Blurred what={t('home:bulks.cost')}>{formats.money(cost)}</Blurred>
                ) : (
                  '–'
                )}
                {!!covered && (
                  <Text size="xs" c="dimmed">
                    {t('home:bulks.covered', { number: formats.number(covered) })}
                  </Text>
                )}
              </td>
            )}
          </tr>
        );
      }}
    </FiguresCard>
  );
}
