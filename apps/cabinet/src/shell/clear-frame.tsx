import '../core/theme/shell-styles.ts';
import { Anchor, Button, Group } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, ScrollRestoration, useMatches } from 'react-router';
import { frontend } from '../core/frontend.ts';
import { useKeyListener } from '../core/keys/keys.ts';
import type { PageHandle } from '../core/page.ts';
import { queryClient } from '../core/query.ts';
import { scrollKey } from '../core/scroll-key.ts';
import { Copyright, Documents } from '../ui/documents.tsx';
import { LanguageMenu } from '../ui/language-menu.tsx';
import { later } from '../ui/later.tsx';
import { Logo } from '../ui/logo.tsx';
import { ThemeMenu } from '../ui/theme-menu.tsx';
import classes from './shell.module.css';

const NoticeRegion = later(async () => (await import('./notice-region.tsx')).NoticeRegion);

/** Around open pages without a session. */
export function ClearFrame() {
  const { t } = useTranslation();
  const handle = useMatches().at(-1)?.handle as PageHandle | undefined;
  const title = handle ? `${t(handle.title)} – ${frontend.title}` : frontend.title;
  useKeyListener();
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <QueryClientProvider client={queryClient}>
      <section aria-label={t('shell:notices')}>
        <NoticeRegion small={false} />
      </section>
      <header className={classes.header}>
        <div className={classes.bar}>
          <Link to="/login" className={classes.brand} aria-label={frontend.title}>
            <Logo />
            <span>{frontend.title}</span>
          </Link>
          <div className={classes.space} />
          <LanguageMenu />
          <ThemeMenu />
          <Button component={Link} to="/login" size="compact-md" variant="light">
            {t('signIn')}
          </Button>
        </div>
      </header>
      <div className={classes.clear}>
        <main id="main" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
        <footer className={classes.footer}>
          <Group gap="md" justify="center">
            <Copyright />
            <Documents />
            {frontend.registration && (
              <Anchor component={Link} to="/registration" inherit c="inherit" underline="always">
                {t('register')}
              </Anchor>
            )}
          </Group>
        </footer>
      </div>
      <ScrollRestoration getKey={scrollKey} />
    </QueryClientProvider>
  );
}
