import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { frontend } from '../../core/frontend.ts';
import { changeLocale } from '../../core/i18n/i18n.ts';
import { LOCALE_NAMES, LOCALES } from '../../core/i18n/locales.ts';
import { Copyright, Documents } from '../../ui/documents.tsx';
import { Logo } from '../../ui/logo.tsx';
import classes from './auth.module.css';

/** The page around the forms of those who are not signed in. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t, i18n } = useTranslation();
  useEffect(() => {
    document.title = `${title} – ${frontend.title}`;
  }, [title]);
  return (
    <main className={classes.page}>
      <Group className={classes.brand} gap="xs" mb="lg">
        <Logo size={36} />
        <Text fw={600} size="lg">
          {frontend.title}
        </Text>
      </Group>
      <Paper className={classes.card} withBorder p="lg" radius="lg">
        <Title order={1} size="h3" mb="md">
          {title}
        </Title>
        {children}
      </Paper>
      {/* Plain buttons: a menu would cost this page a quarter of its code. */}
      <Group gap="xs" mt="lg" justify="center" role="group" aria-label={t('language')}>
        {LOCALES.map((locale) => (
          <button
            key={locale}
            type="button"
            lang={locale}
            className={classes.locale}
            aria-pressed={locale === i18n.language}
            onClick={() => void changeLocale(locale)}
          >
            {LOCALE_NAMES[locale]}
          </button>
        ))}
      </Group>
      <footer className={classes.footer}>
        <Copyright />
        <Anchor component={Link} to="/documentation" inherit c="inherit" underline="always">
          {t('documentation')}
        </Anchor>
        <Documents />
      </footer>
    </main>
  );
}
