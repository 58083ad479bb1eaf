import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { useMayOpen } from '../core/settings.ts';
import { RouteTabs } from '../ui/route-tabs.tsx';
import { messageParts } from './navigation.ts';

/** Tabs of outgoing and incoming messages, bulk tasks, recurring ones and templates; each needs its own permission. */
export function Messages() {
  const { t } = useTranslation();
  const parts = messageParts(useMayOpen());
  return (
    <>
      <RouteTabs
        inMenu
        label={t('shell:nav.messages')}
        tabs={parts.map(({ to, label }) => ({ to, label: t(label) }))}
      />
      <Outlet />
    </>
  );
}
