import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
// Not from ui/icons.ts: the core does not import the ui.
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconInfo from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import { requestId, errorText } from './errors.ts';
import { i18n } from './i18n/i18n.ts';

interface ToastAct {
  label: string;
  run: () => void;
}

const ICONS = {
  green: IconCheck,
  red: IconAlertTriangle,
  blue: IconInfo,
  gray: IconInfo,
} as const;

interface Notice {
  /** Toasts with the same id are shown once. */
  id?: string;
  title?: string;
  message: string | null;
  color: keyof typeof ICONS;
  act?: ToastAct;
  ms?: number;
}

/** Shows a toast. */
export function showNotice({ id, title, message, color, act, ms }: Notice): void {
  const ToneIcon = ICONS[color];
  const leave = () => {
    notifications.hide(shown);
    act?.run();
  };
  const shown = notifications.show({
    id,
    title,
    message: act ? (
      <>
        {message}{' '}
        <Anchor component="button" type="button" inherit aria-keyshortcuts="z" onClick={leave}>
          {act.label}
        </Anchor>
      </>
    ) : (
      message
    ),
    autoClose: ms ?? (act ? 15_000 : 5_000),
    color,
    icon: <ToneIcon size={18} aria-hidden />,
    role: color === 'red' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': i18n.t('close') },
  });
}

/** Announced politely; with a link to the result where it is on another page. */
export function showSuccess(message: string, act?: ToastAct, ms?: number): void {
  showNotice({ message, color: 'green', act, ms });
}

/** An error that belongs to no field, with the request id for support. */
export function showError(error: unknown): void {
  showFailure(errorText(i18n.t, error), error);
}

/** An error with the page's own text for what failed. */
export function showFailure(title: string, error: unknown): void {
  const { t } = i18n;
  const id = requestId(error);
  showNotice({
    title,
    message: id ? t('errors:requestId', { id }) : null,
    color: 'red',
    ms: 10_000,
  });
}
