import { ActionIcon } from '@mantine/core';
import { NavigationProgress } from '@mantine/nprogress';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLive } from '../core/realtime/live.ts';
import { useSettings } from '../core/settings.ts';
import { NotificationBell } from '../features/notifications/notification-bell.tsx';
import { BlurToggle } from '../ui/blur-toggle.tsx';
import { IconSearch } from '../ui/icons.ts';
import { LanguageMenu } from '../ui/language-menu.tsx';
import { Logo } from '../ui/logo.tsx';
import { ThemeMenu } from '../ui/theme-menu.tsx';
import { AccountMenu } from './account-menu.tsx';
import classes from './shell.module.css';
import { useNewVersion } from './version.ts';

interface HeaderProps {
  /** Language, theme and the like are then in the menu dialog. */
  small: boolean;
  onPalette: () => void;
}

export function Header({ small, onPalette }: HeaderProps) {
  const { t } = useTranslation();
  const { frontend } = useSettings();
  return (
    <header className={classes.header}>
      <NavigationProgress aria-label={t('shell:loadingPage')} withinPortal={false} />
      <div className={classes.bar}>
        <Link to="/" className={classes.brand} aria-label={frontend.title}>
          <Logo />
          <span>{frontend.title}</span>
        </Link>
        <div className={classes.space} />
        <LiveMark />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('shell:palette.open')}
          aria-keyshortcuts="Control+K Meta+K"
          title={t('shell:palette.open')}
          onClick={onPalette}
        >
          <IconSearch size={22} stroke={1.6} aria-hidden />
        </ActionIcon>
        <NotificationBell newVersion={useNewVersion()} />
        {!small && (
          <>
            <BlurToggle />
            <LanguageMenu />
            <ThemeMenu />
          </>
        )}
        <AccountMenu />
      </div>
    </header>
  );
}

/** Shown while there is no socket, so that rows do not change by themselves. */
function LiveMark() {
  const { t } = useTranslation();
  const state = useLive();
  const text = t(`shell:live.${state}`);
  return (
    <span className={classes.live} role="status" title={text}>
      <span className={classes.dot} data-state={state} aria-hidden />
      {state === 'waiting' ? (
        <span className={classes.liveText}>{text}</span>
      ) : (
        <span className="visually-hidden">{state === 'on' ? text : ''}</span>
      )}
    </span>
  );
}
