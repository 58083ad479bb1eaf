import { Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useBalance } from '../../core/account.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { statisticsQuery } from './referrals.api.ts';

/** What the code has brought. Fetched again when the balance moves, as it does with a bonus. */
export function ReferralTotals({ OwnerId }: { OwnerId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const balance = useBalance().data?.balance;
  const { data } = useQuery(statisticsQuery(OwnerId, balance));
  const sum = (value: number, label: string) =>
    data && (
      <Blurred what={label}>
        <Money value={value} currency={data.currency} />
      </Blurred>
    );
  return (
    <Paper
      component="section"
      withBorder
      p="md"
      aria-label={t('referrals:totals.title')}
      aria-busy={!data}
    >
      {data && (
        <>
          <Text size="sm" mb="sm">
            {t('referrals:totals.rule', {
              percent: formats.number(data.percent),
              count: data.days,
            })}
          </Text>
          <Facts
            facts={[
              { label: t('referrals:totals.accounts'), value: formats.number(data.accounts) },
              { label: t('referrals:totals.paid'), value: formats.number(data.paid) },
              { label: t('referrals:totals.active'), value: formats.number(data.active) },
              {
                label: t('referrals:totals.bonus'),
                value: sum(data.bonus, t('referrals:totals.bonus')),
              },
              {
                label: t('referrals:totals.month'),
                value: sum(data.monthBonus, t('referrals:totals.month')),
              },
              {
                label: t('referrals:totals.nextEndsAt'),
                value: data.nextEndsAt && (
                  <time dateTime={data.nextEndsAt}>{formats.date(data.nextEndsAt)}</time>
                ),
              },
            ]}
          />
        </>
      )}
    </Paper>
  );
}
