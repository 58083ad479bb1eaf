import { i18n } from './i18n/i18n.ts';
import { showFailure, showSuccess } from './toast.tsx';

/** Copies a text and returns whether it succeeded; either is shown in a toast. */
export async function copy(text: string, notice: string = i18n.t('copied')): Promise<boolean> {
  try {
    await copyText(text);
    showSuccess(notice);
    return true;
  } catch (error) {
    showFailure(i18n.t('copyFailed'), error);
    return false;
  }
}

/**
 * `navigator.clipboard` exists on secure origins only; a cabinet in a local network may be served without TLS.
 */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog: its focus trap would take the focus back before the text is copied.
  (focused?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isDone) throw new Error('The clipboard was refused');
}
