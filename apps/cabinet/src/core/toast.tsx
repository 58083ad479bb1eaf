import { notifications } from '@mantine/notifications';
import { errorText, requestId } from './errors.ts';
import { i18n } from './i18n/i18n.ts';
import { IconAlertTriangle, IconCheck } from '../ui/icons.ts';

/** What was done, said politely. */
export function showSuccess(message: string): void {
  notifications.show({
    message,
    color: 'green',
    icon: <IconCheck size={18} aria-hidden />,
    role: 'status',
    closeButtonProps: { 'aria-label': i18n.t('close') },
  });
}

/** A refusal that belongs to no field, with the id that support asks for. */
export function showError(error: unknown): void {
  const { t } = i18n;
  const id = requestId(error);
  notifications.show({
    title: errorText(t, error),
    message: id ? t('errors:requestId', { id }) : null,
    color: 'red',
    icon: <IconAlertTriangle size={18} aria-hidden />,
    role: 'alert',
    closeButtonProps: { 'aria-label': t('close') },
    autoClose: 10_000,
  });
}
