import '../core/theme/shell-styles.ts';
import { AppShell } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Outlet, ScrollRestoration } from 'react-router';
import { useKeyListener, useKeys } from '../core/keys/keys.ts';
import { toggleBlur } from '../core/privacy.ts';
import { queryClient } from '../core/query.ts';
import { useRealtime } from '../core/realtime/use-realtime.ts';
import { ActingFrame } from './acting-frame.tsx';
import { Header } from './header.tsx';
import { Navbar } from './navbar.tsx';
import classes from './shell.module.css';
import { usePageChange } from './use-page-change.ts';
import { useSessionClock } from './use-session-clock.tsx';

export function Shell() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
  const { t } = useTranslation();
  const [menu, { toggle, close }] = useDisclosure(false);
  useRealtime();
  useKeyListener();
  useKeys({ 'shift+b': toggleBlur });
  useSessionClock();
  usePageChange(close);
  return (
    <>
      <a href="#main" className={classes.skip}>
        {t('shell:skip')}
      </a>
      {/* The region exists before the first message, or screen readers miss it. */}
      <section aria-label={t('shell:notices')}>
        <Notifications
          position="bottom-right"
          limit={5}
          autoClose={5000}
          zIndex={1000}
          withinPortal={false}
        />
      </section>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !menu } }}
        padding={{ base: 'sm', sm: 'md', lg: 'lg' }}
      >
        <Header menu={menu} onMenu={toggle} />
        <Navbar />
        <AppShell.Main id="main" className={classes.main} tabIndex={-1}>
          <ActingFrame />
          <Outlet />
        </AppShell.Main>
      </AppShell>
      <ScrollRestoration />
    </>
  );
}
