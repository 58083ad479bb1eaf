import { Alert, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useParam } from '../../core/use-param.ts';
import { returnPath } from '../../core/return-to.ts';

/** What the payment page led to, `?paid=`. The payment itself is in a list, which follows its status. */
export function ReturnedSection() {
  const { t } = useTranslation();
  const [paid, setPaid] = useParam('paid');
  const path = returnPath();
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
      {t(`payments:returned.${paid}.text`, { status: t('payments:status.completed') })}
      {path && (
        <div>
          <Button component={Link} to={path} variant="default" size="xs" mt="xs">
            {t('payments:returned.toMessage')}
          </Button>
        </div>
      )}
    </Alert>
  );
}
