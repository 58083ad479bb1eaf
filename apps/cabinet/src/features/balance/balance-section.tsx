import { can } from '@heliograph/contract';
import { Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { balanceQuery, meQuery, useBalance } from '../../core/account.ts';
import { queryClient } from '../../core/query.ts';
import { settingsQuery, useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { summaryQuery } from '../home/summary.api.ts';

/** Its height depends on what is said. */
export async function prepareBalance(): Promise<void> {
  const [{ permissions }, { OwnerId }] = await Promise.all([
    queryClient.ensureQueryData(settingsQuery),
    queryClient.ensureQueryData(meQuery),
  ]);
  await Promise.all([
    can(permissions, 'billings.find') && queryClient.prefetchQuery(balanceQuery(OwnerId)),
    can(permissions, 'sendings.get') && queryClient.prefetchQuery(summaryQuery()),
  ]);
}

/** The balance, what can be spent with the overdraft, and for how many days it lasts at the rate of the last week. */
export function BalanceSection() {
  const { t } = useTranslation();
  const formats = useFormats();
  const may = useCan();
  const { data: balance } = useBalance();
  const { data: summary } = useQuery({ ...summaryQuery(), enabled: may('sendings.get') });
  if (!may('billings.find')) return null;
  const { average = 0, daysLeft = null } = summary?.money ?? {};
  const label = t('shell:balance.label');
  return (
    <Paper component="section" withBorder p="sm" mb="md" mih={70} aria-label={label}>
      <Text>
        {label}:{' '}
        {balance && (
          <Blurred what={label}>
            <b>{formats.money(balance.result)}</b>
          </Blurred>
        )}
      </Text>
      {balance && balance.overdraft > 0 && (
        <Text size="sm">
          <Blurred what={label}>
            {t('shell:balance.overdraft', {
              overdraft: formats.money(balance.overdraft),
              total: formats.money(balance.balance + balance.overdraft),
            })}
          </Blurred>
        </Text>
      )}
      {summary?.money && (
        <Text size="sm" c="dimmed">
          {daysLeft === null ? (
            t('shell:balance.noForecast')
          ) : (
            <Blurred what={label}>
              {t('shell:balance.forecast', {
                count: daysLeft,
                average: formats.money(Math.round(average * 100) / 100),
              })}
            </Blurred>
          )}
        </Text>
      )}
    </Paper>
  );
}
