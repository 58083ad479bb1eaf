import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useParam } from '../../core/use-param.ts';

/** What the payment page led to, `?paid=`. The payment itself is in a list, which follows its status. */
export function ReturnedSection() {
  const { t } = useTranslation();
  const [paid, setPaid] = useParam('paid');
  if (paid !== 'success' && paid !== 'fail') return null;
  return (
    <Alert
      role="status"
      mb="md"
      color={paid === 'success' ? 'green' : 'orange'}
      title={t(`payments:returned.${paid}.title`)}
      withCloseButton
      closeButtonLabel={t('common:close')}
      onClose={() => setPaid(null, { replace: true })}
    >
      {t(`payments:returned.${paid}.text`)}
    </Alert>
  );
}
