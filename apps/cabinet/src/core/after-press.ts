let isPressed = false;
addEventListener('pointerdown', () => (isPressed = true), true);
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(end, () => (isPressed = false), true);

/**
 * Does what may move the page, but not between the press of a button and its release: what is pressed would move away
 * from under the pointer and the click be lost. A press that takes the focus off a field is such a one.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) return act();
  // The click follows the release in the same task.
  const soon = () => {
    for (const end of ['pointerup', 'pointercancel']) removeEventListener(end, soon);
    setTimeout(act);
  };
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, soon);
}
