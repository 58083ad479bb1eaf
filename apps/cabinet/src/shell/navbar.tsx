import { Button, Menu, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useLocation } from 'react-router';
import { useMayOpen } from '../core/settings.ts';
import { IconChevronRight, IconHome, IconSend } from '../ui/icons.ts';
import { cx } from '../ui/cx.ts';
import type { NavGroup, NavItem } from './navigation.ts';
import classes from './shell.module.css';
import { useNavigation } from './use-navigation.ts';

/** The menu of large screens: one line for each job, its pages beside it, or below it while one is in them. */
export function Navbar() {
  const { t } = useTranslation();
  const mayOpen = useMayOpen();
  const groups = useNavigation();
  return (
    <nav className={classes.nav} aria-label={t('shell:navigation')}>
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
            <IconHome size={20} stroke={1.6} aria-hidden />
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

function Group({ group }: { group: NavGroup }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const [first] = group.items;
  if (group.items.length === 1) return <Line item={first!} />;
  const isHere = group.items.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  return isHere ? <OpenGroup group={group} /> : <PopupGroup group={group} name={t(group.label)} />;
}

function Line({ item: { to, label, icon: ItemIcon } }: { item: NavItem }) {
  const { t } = useTranslation();
  return (
    <NavLink to={to} className={classes.link}>
      <ItemIcon size={20} stroke={1.6} aria-hidden />
      {t(label)}
    </NavLink>
  );
}

function OpenGroup({ group: { label, items } }: { group: NavGroup }) {
  const { t } = useTranslation();
  return (
    <>
      <div className={classes.group}>{t(label)}</div>
      <ul className={cx(classes.links, classes.open)} aria-label={t(label)}>
        {items.map((item) => (
          <li key={item.to}>
            <Line item={item} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Opens under the mouse, and as any menu by Enter, Space and the arrows. */
function PopupGroup({ group: { items }, name }: { group: NavGroup; name: string }) {
  const { t } = useTranslation();
  const GroupIcon = items[0]!.icon;
  return (
    <Menu trigger="click-hover" position="right-start" offset={2} openDelay={80} width={230}>
      <Menu.Target>
        <UnstyledButton className={classes.link} w="100%">
          <GroupIcon size={20} stroke={1.6} aria-hidden />
          <span className={classes.name}>{name}</span>
          <IconChevronRight size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ to, label, icon: ItemIcon }) => (
          <Menu.Item
            key={to}
            component={Link}
            to={to}
            leftSection={<ItemIcon size={18} stroke={1.6} aria-hidden />}
          >
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
