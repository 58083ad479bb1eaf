import { deliveryRate } from '@heliograph/domain';
import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Time } from '../../ui/time.tsx';
import { analyticsQuery } from '../analytics/analytics.api.ts';
import { Card } from './card.tsx';
import { lastDays } from './days.ts';
import { lastBulksQuery } from './home.api.ts';
import classes from './home.module.css';

/** How far back costs are looked for. */
const DAYS = 60;

/** The latest bulks with the share of their recipients that was reached, and what they cost. */
export function LastBulks({ height }: { height: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const { data, error, refetch } = useQuery(lastBulksQuery);
  const { period } = lastDays(DAYS);
  const figures = useQuery({
    ...analyticsQuery({ by: 'task', period, isCompared: false, rows: 200 }),
    enabled: can('billings.find'),
  });
  const costs = new Map(figures.data?.data.map(({ key, figures: { cost } }) => [key, cost]));
  return (
    <Card
      title={t('home:bulks.title')}
      height={height}
      aside={
        <Anchor component={Link} to="/messages/tasks" size="sm">
          {t('home:running.all')}
        </Anchor>
      }
    >
      {error && !data ? (
        <ErrorCard title={t('home:running.failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={160} aria-busy />
      ) : data.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('home:bulks.none')}
        </Text>
      ) : (
        <table className={classes.figures}>
          <caption className="visually-hidden">{t('home:bulks.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('home:bulks.task')}</th>
              <th scope="col">{t('home:bulks.share')}</th>
              {can('billings.find') && <th scope="col">{t('home:bulks.cost')}</th>}
            </tr>
          </thead>
          <tbody>
            {data.data.map(({ id, title, meta, createdAt }) => {
              const { completed, errored } = meta.counters;
              const share = deliveryRate({ delivered: completed, failed: errored });
              const cost = costs.get(id);
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
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Card>
  );
}
