import { AppShell, Burger } from '@mantine/core';
import { NavigationProgress } from '@mantine/nprogress';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSettings } from '../core/settings.ts';
import { BlurToggle } from '../ui/blur-toggle.tsx';
import { LanguageMenu } from '../ui/language-menu.tsx';
import { ThemeMenu } from '../ui/theme-menu.tsx';
import { AccountMenu } from './account-menu.tsx';
import { LiveMark } from './live-mark.tsx';
import classes from './shell.module.css';

interface HeaderProps {
  menu: boolean;
  onMenu: () => void;
}

export function Header({ menu, onMenu }: HeaderProps) {
  const { t } = useTranslation();
  const { frontend } = useSettings();
  return (
    <AppShell.Header>
      <NavigationProgress aria-label={t('shell:loadingPage')} withinPortal={false} />
      <div className={classes.bar}>
        <Burger
          opened={menu}
          onClick={onMenu}
          hiddenFrom="md"
          size="sm"
          aria-label={menu ? t('shell:closeMenu') : t('shell:openMenu')}
          aria-expanded={menu}
          aria-controls="navigation"
        />
        <Link to="/" className={classes.brand} aria-label={frontend.title}>
          <img src="/favicon.svg" alt="" width={26} height={26} />
          <span>{frontend.title}</span>
        </Link>
        <div className={classes.space} />
        <LiveMark />
        <BlurToggle />
        <LanguageMenu />
        <ThemeMenu />
        <AccountMenu />
      </div>
    </AppShell.Header>
  );
}
