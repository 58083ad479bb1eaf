import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { useMayOpen } from '../../core/settings.ts';
import { RouteTabs } from '../../ui/route-tabs.tsx';
import { balanceTabs } from './balance-tabs.ts';

/** The tabs of the balance; each tab is a child route. */
export function BalancePage() {
  const { t } = useTranslation();
  const tabs = balanceTabs(useMayOpen());
  return (
    <>
      <RouteTabs
        inMenu
        label={t('shell:balance.tabs')}
        tabs={tabs.map(({ to, label }) => ({ to, label: t(label) }))}
      />
      <Outlet />
    </>
  );
}
