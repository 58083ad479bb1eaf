import { useTranslation } from 'react-i18next';
import { RouteTabs } from '../../ui/route-tabs.tsx';

/** Contact lists, segments and sign-up forms. */
export function ContactTabs() {
  const { t } = useTranslation();
  return (
    <RouteTabs
      label={t('contactLists:segments.tabs')}
      tabs={[
        { to: '/contacts', label: t('contactLists:title'), end: true },
        { to: '/contacts/segments', label: t('contactLists:segments.title') },
        { to: '/contacts/forms', label: t('contactLists:forms') },
      ]}
    />
  );
}
