import { can } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { balanceQuery, meQuery } from '../../core/account.ts';
import { queryClient } from '../../core/query.ts';
import { settingsQuery, useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { summaryQuery } from '../home/summary.api.ts';
import { BalanceCardsSection } from './balance-cards-section.tsx';

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
  const { data: summary } = useQuery({ ...summaryQuery(), enabled: may('sendings.get') });
  if (!may('billings.find')) return null;
  const { average = 0, daysLeft = null } = summary?.money ?? {};
  const label = t('shell:balance.label');
  return (
    <>
      <BalanceCardsSection />
      {summary?.money && (
        <Text size="sm" c="dimmed" mb="md">
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
    </>
  );
}
