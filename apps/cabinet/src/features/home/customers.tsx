import { deliveryRate } from '@heliograph/domain';
import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Money } from '../../ui/money.tsx';
import { analyticsQuery } from '../analytics/analytics.api.ts';
import { Card } from './card.tsx';
import { lastDays } from './days.ts';
import { balancesQuery } from './home.api.ts';
import { isLow, isWeak } from './home-rules.ts';
import classes from './home.module.css';

const DAYS = 7;
const MAX_ROWS = 8;

/** Customers with the most messages of a week, their balances, and what is wrong with either. */
export function Customers({ height }: { height: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { period } = lastDays(DAYS);
  const { data, error, refetch } = useQuery(
    analyticsQuery({ by: 'account', period, isCompared: true, rows: MAX_ROWS }),
  );
  const { data: accounts } = useQuery(balancesQuery);
  const byId = new Map(accounts?.data.map((account) => [account.id, account]));
  return (
    <Card
      title={t('home:customers.title')}
      height={height}
      aside={
        <Anchor component={Link} to="/users" size="sm">
          {t('home:customers.all')}
        </Anchor>
      }
    >
      {error && !data ? (
        <ErrorCard title={t('home:course.failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={200} aria-busy />
      ) : data.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('home:customers.none')}
        </Text>
      ) : (
        <table className={classes.figures}>
          <caption className="visually-hidden">{t('home:customers.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('home:customers.customer')}</th>
              <th scope="col">{t('home:customers.messages')}</th>
              <th scope="col">{t('home:customers.share')}</th>
              <th scope="col">{t('home:customers.balance')}</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map(({ key, title, figures }) => {
              const share = deliveryRate(figures);
              const account = byId.get(key);
              const troubles = [
                account && isLow(account.balance, figures.cost, DAYS) && t('home:customers.low'),
                isWeak(figures, data.total) && t('home:customers.weak'),
              ].filter(Boolean);
              return (
                <tr key={key}>
                  <th scope="row">
                    <Anchor component={Link} to={`/users?id=${key}`} inherit>
                      {title ?? key}
                    </Anchor>
                    {troubles.length > 0 && (
                      <Text size="xs" c="var(--app-orange-text)">
                        {troubles.join(', ')}
                      </Text>
                    )}
                  </th>
                  <td>
                    <Anchor
                      component={Link}
                      to={`/messages/outgoing?period=${period}&f.OwnerId=${key}`}
                      inherit
                    >
                      {formats.number(figures.messages)}
                    </Anchor>
                  </td>
                  <td>{share === null ? '–' : formats.percent(share)}</td>
                  <td>
                    {account?.balance === undefined ? (
                      '–'
                    ) : (
                      <Blurred what={t('home:customers.balance')}>
                        <Money value={account.balance} currency={account.currency} />
                      </Blurred>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Card>
  );
}
