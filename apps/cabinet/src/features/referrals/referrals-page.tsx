import { SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { balanceQuery, meQuery } from '../../core/account.ts';
import { queryClient } from '../../core/query.ts';
import { PeriodMark } from '../../list/filters/period-mark.tsx';
import { readState } from '../../list/state/list-state.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Bonuses } from './bonuses.tsx';
import { CodePanel } from './code-panel.tsx';
import { ReferralTotals } from './referral-totals.tsx';
import { bonusSpec, referralSpec, statisticsQuery } from './referrals.api.ts';
import { ReferredAccounts } from './referred-accounts.tsx';

const VIEWS = ['bonuses', 'accounts'] as const;

/** What is above the list. */
export async function prepare(): Promise<void> {
  const { OwnerId } = await queryClient.ensureQueryData(meQuery);
  const ofBalance = balanceQuery(OwnerId);
  await queryClient.prefetchQuery(ofBalance);
  const moved = queryClient.getQueryData(ofBalance.queryKey)?.balance;
  await queryClient.prefetchQuery(statisticsQuery(OwnerId, moved));
}

/** The referral code of the account, its bonuses and who registered with it. `?view=accounts` shows the accounts. */
export function ReferralsPage() {
  const { t } = useTranslation();
  const { data: me } = useQuery(meQuery);
  const [params, setParams] = useSearchParams();
  const view = VIEWS.find((name) => name === params.get('view')) ?? 'bonuses';
  const { period } = readState(params, view === 'accounts' ? referralSpec : bonusSpec);
  if (!me) return null;
  // The two lists have filters of their own.
  const show = (name: string) => setParams(name === 'bonuses' ? {} : { view: name });
  return (
    <>
      <PageHeader title={t('referrals:title')} mark={<PeriodMark period={period} />} />
      <Stack mb="md">
        <CodePanel me={me} />
        <ReferralTotals OwnerId={me.OwnerId} />
        <SegmentedControl
          aria-label={t('referrals:views')}
          value={view}
          onChange={show}
          data={VIEWS.map((value) => ({ value, label: t(`referrals:view.${value}`) }))}
          style={{ alignSelf: 'start' }}
        />
      </Stack>
      {view === 'accounts' ? (
        <ReferredAccounts OwnerId={me.OwnerId} />
      ) : (
        <Bonuses OwnerId={me.OwnerId} />
      )}
    </>
  );
}
