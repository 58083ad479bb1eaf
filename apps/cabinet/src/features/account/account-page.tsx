import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { RouteTabs } from '../../ui/route-tabs.tsx';
import { accountTabs } from './account-tabs.ts';

/** The tabs of the user's own account; each tab is a child route. */
export function AccountPage() {
  const { t } = useTranslation();
  const tabs = accountTabs(useCan());
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
