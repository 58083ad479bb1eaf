import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { RouteTabs } from '../../ui/route-tabs.tsx';
import { useAccountTabs } from './account-tabs.ts';

/** The tabs of the user's own account; each tab is a child route. */
export function AccountPage() {
  const { t } = useTranslation();
  const tabs = useAccountTabs();
  return (
    <>
      <RouteTabs
        label={t('shell:account.tabs')}
        tabs={tabs.map(({ to, label }) => ({ to, label: t(label) }))}
      />
      <Outlet />
    </>
  );
}
