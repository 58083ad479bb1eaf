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
  /** The same is said once. */
  id?: string;
  title?: string;
  message: string | null;
  color: keyof typeof ICONS;
  act?: ToastAct;
  ms?: number;
}

/** Whatever is said beside the page looks like this. */
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

/** What was done, said politely; with the way to it where it is elsewhere. */
export function showSuccess(message: string, act?: ToastAct, ms?: number): void {
  showNotice({ message, color: 'green', act, ms });
}

/** A refusal that belongs to no field, with the id that support asks for. */
export function showError(error: unknown): void {
  showFailure(errorText(i18n.t, error), error);
}

/** What could not be done, said by the page itself. */
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
