import { UnstyledButton } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import type { PagePath } from '../core/access.ts';
import { useMayOpen, useSettings } from '../core/settings.ts';
import { IconChat, IconHome, IconMenu, IconSend } from '../ui/icons.ts';
import type { NavItem } from './navigation.ts';
import classes from './shell.module.css';
import { useNavigation } from './use-navigation.ts';

/** Those of every phone, where the menu has them; with the name that its narrowest has room for. */
const FIRST: [path: PagePath, label?: string][] = [
  ['/messages/tasks'],
  ['/messages/conversations', 'shell:nav.chats'],
];

/** One more page with every width that is passed, in pixels. */
const WIDTHS = [395, 480, 565, 650, 735, 820];

const fitting = () => WIDTHS.filter((width) => innerWidth >= width).length;
function onResize(tell: () => void): () => void {
  addEventListener('resize', tell);
  return () => removeEventListener('resize', tell);
}

interface BottomBarProps {
  opened: boolean;
  onMenu: () => void;
}

/** The menu of small screens, at the bottom. Items that do not fit are in the menu dialog. */
export function BottomBar({ opened, onMenu }: BottomBarProps) {
  const { t } = useTranslation();
  const mayOpen = useMayOpen();
  const { chat } = useSettings().frontend.support;
  const groups = useNavigation();
  const all = groups.flatMap(({ items }) => items);
  const always = FIRST.flatMap(([to, label]) => {
    const item = all.find((one) => one.to === to);
    return item ? [{ ...item, label: label ?? item.label }] : [];
  });
  // Then the first page of every job, then the others.
  const more = [
    ...groups.flatMap(({ items }) => items.slice(0, 1)),
    ...groups.flatMap(({ items }) => items.slice(1)),
  ].filter(({ to }) => !always.some((one) => one.to === to));
  const extra = [...always, ...more.slice(0, useSyncExternalStore(onResize, fitting))];
  return (
    <nav className={classes.bottom} aria-label={t('shell:navigation')}>
      <Place to="/" label="shell:nav.home" icon={IconHome} end />
      {mayOpen('/send') && <Place to="/send" label="shell:nav.send" icon={IconSend} />}
      {chat && (
        <a href={chat} target="_blank" rel="noopener noreferrer" className={classes.place}>
          <IconChat size={22} stroke={1.6} aria-hidden />
          <span>{t('shell:chat')}</span>
        </a>
      )}
      {extra.map((item) => (
        <Place key={item.to} {...item} />
      ))}
      <UnstyledButton
        className={classes.place}
        onClick={onMenu}
        aria-haspopup="dialog"
        aria-expanded={opened}
      >
        <IconMenu size={22} stroke={1.6} aria-hidden />
        {t('shell:menu')}
      </UnstyledButton>
    </nav>
  );
}

type PlaceProps = Pick<NavItem, 'to' | 'label' | 'icon'> & { end?: boolean };

function Place({ to, label, icon: PlaceIcon, end }: PlaceProps) {
  const { t } = useTranslation();
  return (
    <NavLink to={to} end={end} className={classes.place}>
      <PlaceIcon size={22} stroke={1.6} aria-hidden />
      <span>{t(label)}</span>
    </NavLink>
  );
}
