import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useSettings } from '../core/settings.ts';
import { IconInfo } from '../ui/icons.ts';

/** Where sending begins, and what the first messages are paid from matters. */
const isBeginning = (pathname: string) => pathname === '/' || /^\/send(\/|$)/.test(pathname);

export function TestAccount() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { isTest } = useSettings().session;
  if (!isTest || !isBeginning(pathname)) return null;
  return (
    <Alert color="yellow" mb="md" icon={<IconInfo size={18} aria-hidden />}>
      {t('shell:testAccount')}
    </Alert>
  );
}
