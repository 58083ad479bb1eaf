import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../core/toast.tsx';

/** Raises the notification of a key that is good no longer, outside of the shell, which has its own place for them. */
export function KeyNotice() {
  const { t } = useTranslation();
  useEffect(() => showFailure(t('auth:reset.invalid'), null), [t]);
  return <Notifications position="top-center" />;
}
