import type { Notification } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The channel of a notification, and why it did not arrive there. */
export function ChannelState({ row }: { row: Notification }) {
  const { t } = useTranslation();
  const { channel, error, sentAt } = row;
  const state = error
    ? t('common:labelled', {
        label: t('notifications:notSent'),
        value: t(`notifications:failure.${error}`, { defaultValue: error }),
      })
    : !sentAt && t('notifications:sending');
  return (
    <>
      {t(`notifications:channels.${channel}`, { defaultValue: channel })}
      {state && (
        <Text size="xs" c={error ? 'var(--app-red-text)' : 'dimmed'}>
          {state}
        </Text>
      )}
    </>
  );
}
