/** Events that a dialog has handled: the dialogs under it receive them too. */
const handled = new WeakSet<Event>();

/** Whether the current key press or click is for this dialog, of those that are open. */
export function isOnTop(id: string): boolean {
  const { event } = window;
  if (event && handled.has(event)) return false;
  const open = [...document.querySelectorAll('[data-dialog]:has([role=dialog])')];
  const top = open.at(-1)?.getAttribute('data-dialog');
  if (top !== id) return false;
  if (event) handled.add(event);
  return true;
}
