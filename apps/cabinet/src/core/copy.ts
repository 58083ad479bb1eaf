import { i18n } from './i18n/i18n.ts';
import { showFailure } from './toast.tsx';

/** Puts a text into the clipboard and answers whether it is there; a refusal is said. */
export async function tryCopy(text: string): Promise<boolean> {
  try {
    await copyText(text);
    return true;
  } catch (error) {
    showFailure(i18n.t('copyFailed'), error);
    return false;
  }
}

/**
 * Into the clipboard. Its own interface is there only on secure origins; a cabinet in a local network may be served
 * without TLS.
 */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside the dialog, if there is one: it would take the focus back before anything is copied.
  (focused?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isDone) throw new Error('The clipboard was refused');
}
