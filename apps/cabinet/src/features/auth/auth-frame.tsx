import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { frontend } from '../../core/frontend.ts';
import { changeLocale } from '../../core/i18n/i18n.ts';
import { LOCALE_NAMES, LOCALES, type Locale } from '../../core/i18n/locales.ts';
import { Copyright, Documents } from '../../ui/documents.tsx';
import { Logo } from '../../ui/logo.tsx';
import classes from './auth.module.css';

/** Of the switch to the other page; registration may be closed. */
const TEXTS = {
  login: { question: 'auth:registration.haveAccount', link: 'auth:login.submit' },
  registration: { question: 'auth:login.noAccount', link: 'auth:login.register' },
} as const;

interface AuthFrameProps {
  title: string;
  /** Where the visitor may go instead. */
  other?: keyof typeof TEXTS;
  children: ReactNode;
}

/** The page around the forms of those who are not signed in. */
export function AuthFrame({ title, other, children }: AuthFrameProps) {
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
      <footer className={classes.footer}>
        {(other === 'login' || (other && frontend.registration)) && (
          <Text size="sm" className={classes.other}>
            {t(TEXTS[other].question)}{' '}
            <Anchor component={Link} underline="always" to={`/${other}`}>
              {t(TEXTS[other].link)}
            </Anchor>
          </Text>
        )}
        {/* The browser's own: a menu would cost this page a quarter of its code. */}
        <label>
          {t('language')}{' '}
          <select
            className={classes.locale}
            value={i18n.language}
            onChange={(event) => void changeLocale(event.currentTarget.value as Locale)}
          >
            {LOCALES.map((locale) => (
              <option key={locale} value={locale} lang={locale}>
                {LOCALE_NAMES[locale]}
              </option>
            ))}
          </select>
        </label>
        <Copyright />
        <Anchor component={Link} to="/documentation" inherit c="inherit" underline="always">
          {t('documentation')}
        </Anchor>
        <Documents />
      </footer>
    </main>
  );
}
