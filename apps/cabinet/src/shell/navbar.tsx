import { AppShell, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router';
import { useCan } from '../core/settings.ts';
import { IconSend } from '../ui/icons.ts';
import { NAVIGATION } from './navigation.ts';
import classes from './shell.module.css';

export function Navbar() {
  const { t } = useTranslation();
  const can = useCan();
  const groups = NAVIGATION.map(({ label, items }) => ({
    label,
    items: items.filter((item) => can(item.can, item.accept)),
  })).filter(({ items }) => items.length > 0);
  return (
    <AppShell.Navbar id="navigation" className={classes.nav} aria-label={t('shell:navigation')}>
      {can('sendings.generate') && (
        <Button
          component={Link}
          to="/send"
          fullWidth
          leftSection={<IconSend size={18} aria-hidden />}
        >
          {t('shell:nav.send')}
        </Button>
      )}
      {groups.map(({ label, items }) => (
        <div key={label}>
          <div className={classes.group} id={label.replace(/\W/g, '-')}>
            {t(label)}
          </div>
          <ul className={classes.links} aria-labelledby={label.replace(/\W/g, '-')}>
            {items.map(({ to, label: key, icon: ItemIcon }) => (
              <li key={to}>
                <NavLink to={to} className={classes.link}>
                  <ItemIcon size={20} stroke={1.6} aria-hidden />
                  {t(key)}
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </AppShell.Navbar>
  );
}
