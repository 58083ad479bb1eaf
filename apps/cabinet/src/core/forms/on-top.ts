/** Events that a dialog has handled: the dialogs under it receive them too. */
const handled = new WeakSet<Event>();

/**
 * Of a dialog that stands over all others that are open. Those of the shell and of a page are mounted before the drawers that
 * they open over, and the last one mounted would be on top.
 */
export const OVER = { zIndex: 'var(--mantine-z-index-overlay)', 'data-over': true };

/** Of a sheet, over which any dialog opens, also one that was mounted before it. */
export const UNDER = { zIndex: 'calc(var(--mantine-z-index-modal) - 1)', 'data-under': true };

/** The dialog over all others that are open. */
function topDialog(): Element | undefined {
  const open = [...document.querySelectorAll('[data-dialog]:has([role=dialog])')];
  return (
    open.findLast((dialog) => dialog.hasAttribute('data-over')) ??
    open.findLast((dialog) => !dialog.hasAttribute('data-under')) ??
    open.at(-1)
  );
}

/** Whether a dialog is open over the element: what is pasted or pressed is for the dialog. */
export function isCovered(element: Element): boolean {
  const top = topDialog();
  return !!top && !top.contains(element);
}

/** Whether the current key press or click is for this dialog, of those that are open. */
export function isOnTop(id: string): boolean {
  const { event } = window;
  if (event && handled.has(event)) return false;
  if (topDialog()?.getAttribute('data-dialog') !== id) return false;
  if (event) handled.add(event);
  return true;
}
