import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { RouteTabs } from '../../ui/route-tabs.tsx';
import { BalanceCardsSection } from '../balance/balance-cards-section.tsx';
import { useAccountTabs } from './account-tabs.ts';

/** The tabs of the user's own account; each tab is a child route. */
export function AccountPage() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const tabs = useAccountTabs();
  const isTab = tabs.some(({ to }) => to === pathname.replace(/\/$/, ''));
  return (
    <>
      <RouteTabs
        label={t('shell:account.tabs')}
        tabs={tabs.map(({ to, label }) => ({ to, label: t(label) }))}
      />
      {/* Not above the forms of company details, which are pages of their own. */}
      {isTab && <BalanceCardsSection />}
      <Outlet />
    </>
  );
}
