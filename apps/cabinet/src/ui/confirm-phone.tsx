import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../core/settings.ts';
import { useParam } from '../core/use-param.ts';

/** The way out of the limits of a new account, for its holder. */
export function ConfirmPhone() {
  const { t } = useTranslation();
  const { isRestricted, UserId, OwnerId, impersonator } = useSettings().session;
  const [, setIdentity] = useParam('identity');
  if (!isRestricted || UserId !== OwnerId || impersonator) return null;
  return (
    <Button variant="default" size="xs" mt="xs" onClick={() => setIdentity('phone')}>
      {t('shell:confirmPhone')}
    </Button>
  );
}
