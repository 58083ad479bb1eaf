import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router';
import { useMayOpen } from '../core/settings.ts';
import { IconHome, IconSend } from '../ui/icons.ts';
import { useCurrentInView } from '../ui/use-current-in-view.ts';
import { later } from '../ui/later.tsx';
import type { NavGroup, NavItem } from './navigation.ts';
import classes from './shell.module.css';
import { useNavigation } from './use-navigation.ts';

// Not needed to show a page.
const WaitingCount = later(
  async () => (await import('../features/conversations/waiting-count.tsx')).WaitingCount,
);

/** The menu of large screens: all places, by job. */
export function Navbar() {
  const { t } = useTranslation();
  const mayOpen = useMayOpen();
  const groups = useNavigation();
  const ref = useCurrentInView();
  return (
    <nav ref={ref} className={classes.nav} aria-label={t('shell:navigation')}>
      {mayOpen('/send') && (
        <Button
          component={Link}
          to="/send"
          fullWidth
          mb="sm"
          leftSection={<IconSend size={18} aria-hidden />}
        >
          {t('shell:nav.send')}
        </Button>
      )}
      <ul className={classes.links}>
        <li>
          <NavLink to="/" end className={classes.link}>
            <IconHome size={18} stroke={1.6} aria-hidden />
            {t('shell:nav.home')}
          </NavLink>
        </li>
        {groups.map((group) => (
          <li key={group.label}>
            <Group group={group} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Line({ item: { to, label, icon: ItemIcon } }: { item: NavItem }) {
  const { t } = useTranslation();
  return (
    <NavLink to={to} className={classes.link}>
      <ItemIcon size={18} stroke={1.6} aria-hidden />
      {t(label)}
      {to === '/messages/conversations' && <WaitingCount />}
    </NavLink>
  );
}

function Group({ group: { label, items } }: { group: NavGroup }) {
  const { t } = useTranslation();
  if (items.length === 1) return <Line item={items[0]!} />;
  return (
    <>
      <div className={classes.group}>{t(label)}</div>
      <ul className={classes.links} aria-label={t(label)}>
        {items.map((item) => (
          <li key={item.to}>
            <Line item={item} />
          </li>
        ))}
      </ul>
    </>
  );
}
