import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useSettings } from '../core/settings.ts';
import { ConfirmPhone } from '../ui/confirm-phone.tsx';
import { IconInfo } from '../ui/icons.ts';

/** Pages that show the limits of a new account. */
const isBeginning = (pathname: string) => pathname === '/' || /^\/send(\/|$)/.test(pathname);

/** The limits of a new account until its first payment and until its phone is confirmed. */
export function TestAccount() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { session, sendings } = useSettings();
  const { isTest, isRestricted, hasFreeCredit } = session;
  if ((!isTest && !isRestricted) || !isBeginning(pathname)) return null;
  return (
    <Alert color="yellow" mb="md" icon={<IconInfo size={18} aria-hidden />}>
      {isTest && (
        <Text size="sm">{t(hasFreeCredit ? 'shell:testAccount' : 'shell:testAccountUsed')}</Text>
      )}
      {isRestricted && (
        <Text size="sm" mt={isTest ? 4 : 0}>
          {t('shell:restricted', { sender: sendings.grantedSender })}
        </Text>
      )}
      <ConfirmPhone />
    </Alert>
  );
}
