import { Alert, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The tariff does not count the seconds of a call, so that nothing can be played in it. */
export function NoRecordings({ onRemove }: { onRemove?: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert color="yellow" role="alert">
      {t('send:noVoiceTariff')}
      {onRemove && (
        <Button mt="xs" size="xs" variant="default" display="block" onClick={onRemove}>
          {t('send:removeFile', { title: t('send:field.audio') })}
        </Button>
      )}
    </Alert>
  );
}
