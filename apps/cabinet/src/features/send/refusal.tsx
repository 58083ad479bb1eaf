import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ConfirmPhone } from '../../ui/confirm-phone.tsx';
import { IconAlertTriangle } from '../../ui/icons.ts';

export interface RefusalProps {
  refusal: { text: string; requestId?: string };
  needsPhone: boolean;
}

/** Why the message was not sent. */
export function Refusal({ refusal: { text, requestId: id }, needsPhone }: RefusalProps) {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" mt="md" icon={<IconAlertTriangle aria-hidden />} title={text}>
      {id ? <Text size="xs">{t('errors:requestId', { id })}</Text> : null}
      {needsPhone && <ConfirmPhone />}
    </Alert>
  );
}
