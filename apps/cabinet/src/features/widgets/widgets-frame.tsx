import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { useCan } from '../../core/settings.ts';
import { RouteTabs } from '../../ui/route-tabs.tsx';

/** The tabs of one-time codes; each is a child route. */
export function WidgetsFrame() {
  const { t } = useTranslation();
  const tabs = [
    { to: '/widgets', label: t('shell:widgets.list'), end: true },
    { to: '/widgets/channels', label: t('shell:widgets.channels') },
    { to: '/widgets/templates', label: t('shell:widgets.templates') },
  ];
  const mayConfigure = useCan()('otp-settings.get');
  return (
    <>
      <RouteTabs label={t('shell:widgets.tabs')} tabs={mayConfigure ? tabs : tabs.slice(0, 1)} />
      <Outlet />
    </>
  );
}
