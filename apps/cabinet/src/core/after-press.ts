let isPressed = false;
addEventListener('pointerdown', () => (isPressed = true), true);
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(end, () => (isPressed = false), true);

/**
 * Runs a change that may move the page, but not between the press of a button and its release: the button would move away
 * from under the pointer and the click would be lost. Leaving a field by pressing a button is such a case.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) return act();
  // The click event follows the release in the same task.
  const soon = () => {
    for (const end of ['pointerup', 'pointercancel']) removeEventListener(end, soon);
    setTimeout(act);
  };
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, soon);
}
