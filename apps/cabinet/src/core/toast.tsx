import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { requestId, errorText } from './errors.ts';
import { i18n } from './i18n/i18n.ts';
import { IconAlertTriangle, IconCheck } from '../ui/icons.ts';

interface ToastAct {
  label: string;
  run: () => void;
}

/** What was done, said politely; with the way to it where it is elsewhere. */
export function showSuccess(message: string, act?: ToastAct, ms = act ? 15_000 : 5_000): void {
  notifications.show({
    message: act ? (
      <>
        {message}{' '}
        <Anchor component="button" type="button" inherit aria-keyshortcuts="z" onClick={act.run}>
          {act.label}
        </Anchor>
      </>
    ) : (
      message
    ),
    autoClose: ms,
    color: 'green',
    icon: <IconCheck size={18} aria-hidden />,
    role: 'status',
    closeButtonProps: { 'aria-label': i18n.t('close') },
  });
}

/** A refusal that belongs to no field, with the id that support asks for. */
export function showError(error: unknown): void {
  showFailure(errorText(i18n.t, error), error);
}

/** What could not be done, said by the page itself. */
export function showFailure(title: string, error: unknown): void {
  const { t } = i18n;
  const id = requestId(error);
  notifications.show({
    title,
    message: id ? t('errors:requestId', { id }) : null,
    color: 'red',
    icon: <IconAlertTriangle size={18} aria-hidden />,
    role: 'alert',
    closeButtonProps: { 'aria-label': t('close') },
    autoClose: 10_000,
  });
}
