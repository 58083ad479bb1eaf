import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import type { PagePath } from '../../core/access.ts';
import { useMayOpen } from '../../core/settings.ts';
import { RouteTabs } from '../../ui/route-tabs.tsx';

/** The tabs of one-time codes; each is a child route. */
export function WidgetsFrame() {
  const { t } = useTranslation();
  const mayOpen = useMayOpen();
  const tabs: { to: PagePath; label: string; end?: boolean }[] = [
    { to: '/widgets', label: t('shell:widgets.list'), end: true },
    { to: '/widgets/channels', label: t('shell:widgets.channels') },
    { to: '/widgets/templates', label: t('shell:widgets.templates') },
  ];
  return (
    <>
      <RouteTabs label={t('shell:widgets.tabs')} tabs={tabs.filter(({ to }) => mayOpen(to))} />
      <Outlet />
    </>
  );
}
