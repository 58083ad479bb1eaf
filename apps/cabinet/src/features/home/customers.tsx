import { deliveryRate } from '@heliograph/domain';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { Money } from '../../ui/money.tsx';
import { analyticsQuery } from '../analytics/analytics.api.ts';
import { lastDays } from './days.ts';
import { FiguresCard } from './figures-card.tsx';
import { balancesQuery } from './home.api.ts';
import { isLow, isWeak } from './home-rules.ts';

const DAYS = 7;
const MAX_ROWS = 8;

/** Customers with the most messages of a week, their balances, and what is wrong with either. */
export function Customers({ height }: { height: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { period } = lastDays(DAYS);
  const query = useQuery(
    analyticsQuery({ by: 'account', period, isCompared: true, rows: MAX_ROWS }),
  );
  const { data: accounts } = useQuery(balancesQuery);
  const byId = new Map(accounts?.data.map((account) => [account.id, account]));
  return (
    <FiguresCard
      title={t('home:customers.title')}
      height={height}
      loading={200}
      all={{ to: '/users', label: t('home:customers.all') }}
      query={query}
      failed={t('home:course.failed')}
      none={t('home:customers.none')}
      head={[
        t('home:customers.customer'),
        t('home:customers.messages'),
        t('home:customers.share'),
        t('home:customers.balance'),
      ]}
    >
      {({ key, title, figures }, { total }) => {
        const share = deliveryRate(figures);
        const account = byId.get(key);
        const troubles = [
          account && isLow(account.balance, figures.cost, DAYS) && t('home:customers.low'),
          isWeak(figures, total) && t('home:customers.weak'),
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
      }}
    </FiguresCard>
  );
}
