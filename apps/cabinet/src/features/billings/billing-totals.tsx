import { MAX_TOTALLED } from '@heliograph/contract';
import { Paper, Text } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { Money } from '../../ui/money.tsx';
import classes from './billing-totals.module.css';
import { totalsQuery } from './billings.api.ts';

interface BillingTotalsProps {
  query: Parameters<typeof totalsQuery>[0];
  /** Changes when a row of the list does. */
  moved: number;
}

const REFRESH_MS = 3000;

/** What the filter adds up to: credits, charges and refunds, in each currency. */
export function BillingTotals({ query, moved }: BillingTotalsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const throttled = useThrottledValue(moved, REFRESH_MS);
  const { data } = useQuery(totalsQuery(query, throttled));
  return (
    <Paper
      component="section"
      withBorder
      p="sm"
      mb="md"
      className={classes.totals}
      aria-label={t('billings:totals.title')}
    >
      {data?.data.map(({ currency, ...sums }) => (
        <div key={currency} className={classes.sums}>
          {(['credits', 'charges', 'refunds'] as const).map((name) => (
            <Text key={name} size="sm">
              {t(`billings:totals.${name}`)}:{' '}
              <Blurred what={t(`billings:totals.${name}`)}>
                <b>
                  <Money value={sums[name]} currency={currency} />
                </b>
              </Blurred>
            </Text>
          ))}
        </div>
      ))}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('billings:totals.none')}
        </Text>
      )}
      {data && !data.isComplete && (
        <Text size="xs" c="dimmed">
          {t('billings:totals.partial', { number: formats.number(MAX_TOTALLED) })}
        </Text>
      )}
    </Paper>
  );
}
