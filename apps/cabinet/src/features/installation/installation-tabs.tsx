import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { RouteTabs } from '../../ui/route-tabs.tsx';

/** The state of the installation and its settings. */
export function InstallationTabs() {
  const { t } = useTranslation();
  if (!useCan()('installation.update', 'managerUp')) return null;
  return (
    <RouteTabs
      label={t('installation:tabs.label')}
      tabs={[
        { to: '/installation', label: t('installation:tabs.state'), end: true },
        { to: '/installation/settings', label: t('installation:tabs.settings') },
      ]}
    />
  );
}
