import { useTranslation } from 'react-i18next';
import { NavLink, Outlet } from 'react-router';
import { useCan } from '../core/settings.ts';
import { messageParts } from './navigation.ts';
import classes from './messages.module.css';

/** Tabs of outgoing and incoming messages, bulk tasks and templates; each needs its own permission. */
export function Messages() {
  const { t } = useTranslation();
  const can = useCan();
  const parts = messageParts(can);
  return (
    <>
      {parts.length > 1 && (
        <nav aria-label={t('shell:nav.messages')} className={classes.tabs}>
          {parts.map(({ to, label }) => (
            <NavLink key={to} to={to} className={classes.tab}>
              {t(label)}
            </NavLink>
          ))}
        </nav>
      )}
      <Outlet />
    </>
  );
}
